"""Tournaments: schedules, referee, worker processes, results, ratings and reports.

results = play_tournament(["heuristic", "greedy"], rules, decks=200, seed=1, folder="runs/first")
results.ratings
"""

from thurn_env.players.programs.limits import Limits
from thurn_env.tournament.evidence import SequentialTest
from thurn_env.tournament.paired import Evaluation, evaluate
from thurn_env.tournament.playing import play_tournament
from thurn_env.tournament.report import write_report
from thurn_env.tournament.results import Results, rate
from thurn_env.tournament.sequential import SequentialMatch, sequential_match

__all__ = [
    "Evaluation",
    "Limits",
    "Results",
    "SequentialMatch",
    "SequentialTest",
    "evaluate",
    "play_tournament",
    "rate",
    "sequential_match",
    "write_report",
]
