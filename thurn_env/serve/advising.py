"""Advice at a table, computed in a thread."""

from __future__ import annotations

from thurn_env.errors import sentence
from thurn_env.players.advice import Advice, Adviser
from thurn_env.players.programs.sandbox import Sandbox
from thurn_env.serve.public_names import public_name
from thurn_env.serve.refusal import NO_HINT, Refusal, logged
from thurn_env.serve.workers import Threads
from thurn_env.table.game import View


async def advice(view: View, spec: str, sandbox: Sandbox | None, threads: Threads) -> Advice:
    """Return the advice of an agent to the seat of a view.

    Args:
        view: what the seat knows.
        spec: the adviser.
        sandbox: sandbox for an adviser that is a program of its own; None for none.
        threads: where the advice is computed.

    Raises:
        Refusal: the adviser fails, as at a table that it does not play at.
    """
    try:
        return await threads(lambda: Adviser(view.game.rules, spec, sandbox, public_name(spec)).advise(view))
    except Exception as error:  # an adviser may fail in any way; its error may name files, or cards
        logged(error, "the hint failed")
        raise Refusal(500, sentence(NO_HINT)) from None
