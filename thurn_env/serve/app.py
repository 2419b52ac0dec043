"""Routes of the server: pages from templates, and JSON for everything else; errors are `{"error": "A sentence."}`."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import AsyncIterator, Callable, Collection
from contextlib import asynccontextmanager, suppress
from typing import Any, TypeVar

import anyio
import anyio.to_thread
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from thurn_env.errors import ThurnError
from thurn_env.players.advice import ADVISER
from thurn_env.players.session import Session
from thurn_env.serve.explanations import rules_page, why
from thurn_env.serve.guard import Guard
from thurn_env.serve.live_game import LiveGame, Threads
from thurn_env.serve.live_games import LiveGames
from thurn_env.serve.menu import Menu, Order
from thurn_env.serve.pages import play_page, start_page, wait_page
from thurn_env.serve.refusal import Refusal
from thurn_env.serve.waiting import Compiling, Waiting, stages_for
from thurn_env.show.template import policy_of

Result = TypeVar("Result")

MOST_BYTES = 16 * 1024
"""Largest request body in bytes."""
REQUEST_TIMEOUT = 20.0
"""Timeout of a request for news in seconds."""
THREADS, SLOW_THREADS = 32, 2
"""Numbers of threads: for agents and hints; for reviews."""
FAILED = "Internal error; the terminal of the server shows the details."
SWEEP = 60.0
"""Seconds between two searches for idle games."""


class Server:
    """State and request handlers of the server.

    Args:
        menu: games and agents on offer.
        games: the current games.
        adviser: spec of the agent for hints and reviews; None for the default.
    """

    def __init__(self, menu: Menu, games: LiveGames, adviser: str | None = None) -> None:
        self.menu, self.games, self.adviser = menu, games, adviser
        self.compiling = Compiling()
        self.work, self.slow_work = _threads(THREADS), _threads(SLOW_THREADS)

    async def game(self, request: Request) -> LiveGame:
        """Return the game that a request names; wait for a table that is being prepared, up to a timeout."""
        game = self.games[request.path_params["name"]]
        if isinstance(game, Waiting):
            with suppress(TimeoutError):
                await asyncio.wait_for(game.over.wait(), REQUEST_TIMEOUT)
            game = self.games[request.path_params["name"]]
        if isinstance(game, Waiting):
            raise game.refusal or Refusal(503, game.note)
        return game

    async def start(self, request: Request) -> Response:
        """Return the page for choosing a table."""
        return _page(start_page(self.menu))

    async def table(self, request: Request) -> Response:
        """Return the page of a game."""
        name = request.path_params["name"]
        try:
            game = self.games[name]
        except Refusal as refusal:
            return _page(start_page(self.menu, refusal.message), refusal.status)
        if isinstance(game, Waiting):
            if game.refusal:
                return _page(start_page(self.menu, game.refusal.message), game.refusal.status)
            return _page(wait_page(game.note))
        return _page(play_page(game, name))

    async def create(self, request: Request) -> Response:
        """Create a table."""
        order = self.menu.order(await _body(request))
        stages = stages_for(order.names)
        with self.games.room():
            if all(order.rules.prepared(stage) for stage in stages):
                await self._done(order.try_agents)
                game = await self._begin(order)
                name = self.games.add(game)
                game.let_agents_play()
            else:
                waiting = Waiting(order, stages)
                name = self.games.add(waiting)
                waiting.task = asyncio.create_task(self._prepare(name, waiting))
        return JSONResponse({"game": name, "address": f"/games/{name}"}, 201)

    async def _done(self, function: Callable[[], Result]) -> Result:
        """Run a function in a thread; raise `Refusal` if an agent does not play this game."""
        try:
            return await self.work(function)
        except ThurnError as error:
            raise Refusal(400, f"{error}.") from None

    async def _begin(self, order: Order) -> LiveGame:
        """Deal, and draw the first picture."""
        return await self._done(
            lambda: LiveGame(
                Session(*order.deal()),
                order.names,
                self.work,
                self.slow_work,
                self.adviser,
                order.sandbox,
                order.asked,
            )
        )

    async def _prepare(self, name: str, waiting: Waiting) -> None:
        """Compile the kernels of a waiting table, show its board as soon as possible, then start the game."""
        order, rules = waiting.order, waiting.order.rules
        every = [*waiting.stages, *stages_for([self.adviser or ADVISER])]
        game: LiveGame | None = None
        try:
            await self.compiling.ready(rules, ["game"], every)
            game = await self._begin(order)
            self.games.replace(name, game)
            waiting.over.set()
            await self.compiling.ready(rules, waiting.stages, every)
            await self._done(order.try_agents)
            game.let_agents_play()
        except Exception as error:  # an agent may fail in any way; other tables continue
            if not isinstance(error, Refusal):
                logging.getLogger(__name__).exception("table %s failed", name)
            waiting.refusal = error if isinstance(error, Refusal) else Refusal(500, FAILED)
            waiting.over.set()
            if game is not None:
                game.fail(waiting.refusal.message)

    async def state(self, request: Request) -> Response:
        """Return the changes since a moment."""
        return JSONResponse(await (await self.game(request)).news(request.query_params.get("since"), REQUEST_TIMEOUT))

    async def play(self, request: Request) -> Response:
        """Play an action."""
        game, body = await self.game(request), await _body(request, "move", "action", "since")
        since = body.get("since")
        if since is not None and not isinstance(since, str):
            raise Refusal(400, "Field 'since' (str) must be the `moment` of an earlier answer.")
        game.play(body.get("move"), body.get("action"))
        return JSONResponse(game.state(since))

    async def undo(self, request: Request) -> Response:
        """Undo a decision."""
        game, body = await self.game(request), await _body(request, "move")
        game.undo(body.get("move"))
        return JSONResponse(game.state())

    async def hint(self, request: Request) -> Response:
        """Return the adviser's action with its reasons."""
        game, body = await self.game(request), await _body(request, "move")
        advice = await game.hint(body.get("move"))
        return JSONResponse({"move": body["move"], "action": advice.action, "text": str(advice)})

    async def why(self, request: Request) -> Response:
        """Return which actions are legal, and why others are not."""
        return JSONResponse({"lines": why((await self.game(request)).session)})

    async def rules(self, request: Request) -> Response:
        """Return the page of the rules."""
        return _page(rules_page((await self.game(request)).session.game.rules))

    async def record(self, request: Request) -> Response:
        """Return the record of a finished game."""
        game = await self.game(request)
        file = f'attachment; filename="{game.session.game.rules.name}.json"'
        return Response(game.record_text(), media_type="application/json", headers={"content-disposition": file})

    async def begin_review(self, request: Request) -> Response:
        """Start the review of a finished game, or report its progress."""
        return JSONResponse((await self.game(request)).review())

    async def review(self, request: Request) -> Response:
        """Return the page of the review, complete or not."""
        address = f"/games/{request.path_params['name']}/review/state"
        return _page((await self.game(request)).review_page(address))

    async def review_news(self, request: Request) -> Response:
        """Return the contents of the review so far."""
        return JSONResponse((await self.game(request)).review_news())

    def routes(self) -> list[Route]:
        """Return all routes."""
        return [
            Route("/", self.start),
            Route("/games", self.create, methods=["POST"]),
            Route("/games/{name}", self.table),
            Route("/games/{name}/state", self.state),
            Route("/games/{name}/moves", self.play, methods=["POST"]),
            Route("/games/{name}/undo", self.undo, methods=["POST"]),
            Route("/games/{name}/hint", self.hint, methods=["POST"]),
            Route("/games/{name}/why", self.why),
            Route("/games/{name}/rules", self.rules),
            Route("/games/{name}/record", self.record),
            Route("/games/{name}/review", self.begin_review, methods=["POST"]),
            Route("/games/{name}/review", self.review),
            Route("/games/{name}/review/state", self.review_news),
        ]

    @asynccontextmanager
    async def lifespan(self, app: Starlette) -> AsyncIterator[None]:
        """Delete idle games regularly, and all games at the end."""

        async def sweep() -> None:
            while True:
                await asyncio.sleep(SWEEP)
                self.games.forget_idle()

        sweeping = asyncio.create_task(sweep())
        yield
        sweeping.cancel()
        await self.compiling.close()
        self.games.close()


def make_app(menu: Menu, games: LiveGames, adviser: str | None = None, names: Collection[str] = ()) -> Starlette:
    """Return the server as an ASGI application.

    Args:
        menu: games and agents on offer.
        games: the current games.
        adviser: spec of the agent for hints and reviews; None for the default.
        names: host names of this machine besides localhost.
    """
    server = Server(menu, games, adviser)
    return Starlette(
        routes=server.routes(),
        middleware=[Middleware(Guard, names=names)],
        exception_handlers={Refusal: _refused, HTTPException: _not_found, Exception: _failed},
        lifespan=server.lifespan,
    )


def _threads(number: int) -> Threads:
    """Return a runner of functions in at most `number` threads."""
    limiter: list[anyio.CapacityLimiter] = []

    async def run(function: Callable[[], Result]) -> Result:
        if not limiter:  # can only be made in an event loop
            limiter.append(anyio.CapacityLimiter(number))
        return await anyio.to_thread.run_sync(function, limiter=limiter[0], abandon_on_cancel=True)

    return run


def _page(page: str, status: int = 200) -> Response:
    return HTMLResponse(page, status, {"content-security-policy": f"{policy_of(page)}; frame-ancestors 'none'"})


async def _refused(request: Request, refusal: Exception) -> Response:
    assert isinstance(refusal, Refusal)
    headers = {"retry-after": "60"} if refusal.status == 503 else None
    return JSONResponse({"error": refusal.message}, refusal.status, headers)


async def _not_found(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    message = "There is nothing at this address." if error.status_code == 404 else f"{error.detail}."
    return JSONResponse({"error": message}, error.status_code, error.headers)


async def _failed(request: Request, error: Exception) -> Response:
    return JSONResponse({"error": FAILED}, 500)


async def _body(request: Request, *known: str) -> dict[str, Any]:
    """Return the JSON object in a request; raise `Refusal` if it is invalid, too large, or has unknown entries."""
    content = b""
    async for chunk in request.stream():
        content += chunk
        if len(content) > MOST_BYTES:
            raise Refusal(413, f"The request body must not exceed {MOST_BYTES:,} bytes.")
    try:
        body = json.loads(content)
    except (ValueError, RecursionError):
        raise Refusal(400, "The request body is not valid JSON.") from None
    if not isinstance(body, dict):
        raise Refusal(400, "Send a JSON object.")
    if known and (unknown := set(body) - set(known)):
        raise Refusal(400, f"Unknown field {min(unknown)!r}.")
    return body
