"""Rules as kernels, which are stored on disk: a rule that tests call from Python is compiled in every process.

They have a folder of their own, because a change of any file beside them compiles them again.
"""

from typing import Any

from thurn_env.engine.kernels import kernel
from thurn_env.engine.network_rules import forward
from thurn_env.games.zug_um_zug_deutschland.bots.plan import plan_tickets, price_claims


@kernel
def forward_pass(network: Any, observation: Any) -> float:
    return forward(network, observation)


@kernel
def plan_of_bot(states: Any, rules: Any, plans: Any, way_claim: float, way_points: float, way_card: float) -> None:
    price_claims(states[0], rules[0], plans[0], way_claim, way_points, way_card)
    plan_tickets(states[0], rules[0], plans[0], 0.0)
