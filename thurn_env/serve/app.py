"""Routes of the server: pages from templates, and JSON for everything else; errors are `{"error": "A sentence."}`."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager, suppress

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from thurn_env.serve.answers import failed, not_found, page, refused
from thurn_env.serve.bodies import body_of, json_object
from thurn_env.serve.explanations import rules_page, why
from thurn_env.serve.guard import Guard, host_name
from thurn_env.serve.limits import Limits, Rates
from thurn_env.serve.live_game import LiveGame
from thurn_env.serve.menu import Menu
from thurn_env.serve.pages import play_page, start_page, table_page, wait_page
from thurn_env.serve.preparing import Preparation
from thurn_env.serve.refusal import Refusal
from thurn_env.serve.table import Table
from thurn_env.serve.tables import Place, Tables
from thurn_env.serve.viewpoint import NOBODY

REQUEST_TIMEOUT = 20.0
"""Timeout of a request for news in seconds."""
MOST_LINKS = 20
"""Largest number of own tables on the start page."""
SWEEP = 60.0
"""Seconds between two searches for idle games."""


class Server:
    """State and request handlers of the server.

    Args:
        menu: games and agents on offer.
        tables: the current tables.
        preparation: prepares the games of started tables.
    """

    def __init__(self, menu: Menu, tables: Tables, preparation: Preparation) -> None:
        self.menu, self.tables, self.preparation = menu, tables, preparation

    # Where a link leads to

    def place(self, request: Request) -> Place:
        """Return the table and seat that a request names; read the table from the store if necessary."""
        token = request.path_params["name"]
        place = self.tables.find(token)
        if place is None:
            place = self.tables.read(token, self.menu)
            if place.table.started:
                self.preparation.launch(place.table)
        return place

    def seated(self, request: Request) -> Place:
        """Return the same for what only people at the table may do."""
        place = self.place(request)
        if place.seat == NOBODY:
            raise Refusal(403, "This link is not the link of a seat.")
        return place

    async def game(self, request: Request) -> tuple[LiveGame, int]:
        """Return the game and the seat that a request names; wait up to a timeout for one that is being prepared."""
        table, seat, _ = self.place(request)
        if not table.started:
            raise Refusal(409, "The game has not been started.")
        if table.game is None and (waiting := table.waiting) is not None:
            with suppress(TimeoutError):
                await asyncio.wait_for(waiting.over.wait(), REQUEST_TIMEOUT)
            if table.game is None:
                raise waiting.refusal or Refusal(503, waiting.note)
        if table.game is None:
            raise Refusal(404, "There is no such game; it may have expired.")
        table.game.greet(seat)
        return table.game, seat

    # Pages

    async def start_page(self, request: Request) -> Response:
        """Return the page for choosing a table."""
        return page(self._start_page())

    def _start_page(self, message: str = "") -> str:
        return start_page(self.menu, message, kept=self.tables.store is not None)

    async def table(self, request: Request) -> Response:
        """Return the page of a table."""
        name = request.path_params["name"]
        try:
            table, seat, invited = self.place(request)
        except Refusal as refusal:
            return page(self._start_page(refusal.message), refusal.status)
        if not table.started:
            return page(table_page(table, name, invited))
        if table.game is not None:
            return page(play_page(table, table.game, name, seat))
        assert table.waiting is not None
        if failure := table.waiting.refusal:
            return page(self._start_page(failure.message), failure.status)
        return page(wait_page(table.waiting.note))

    async def lists(self, request: Request) -> Response:
        """Return the open tables, those to watch, and the state of those whose links the request names."""
        body = await body_of(request, "links")
        links = body.get("links", [])
        if not isinstance(links, list) or len(links) > MOST_LINKS or not all(isinstance(link, str) for link in links):
            raise Refusal(400, f"Field 'links' must be a list of up to {MOST_LINKS} addresses of seats.")
        # Secrets are ASCII; not all other texts can be looked up.
        secrets = [link.rpartition("/")[2] for link in links]
        return JSONResponse(self.tables.lists([secret if secret.isascii() else "" for secret in secrets]))

    # Tables

    async def create(self, request: Request) -> Response:
        """Create a table; start it if nobody else is to join."""
        table = Table.from_request(self.menu, await json_object(request), self.tables.store)
        with self.tables.room():
            ready = self.preparation.ready(table.order)
            if ready:
                await self.preparation.try_agents(table.order)
            table.save()
            self.tables.add(table)
        if not table.open_seats:
            table.start()
            await self._started(table, ready)
        else:
            self.preparation.warm(table)
        own = next((seat.token for seat in table.seats if seat.token), table.watching)
        answer = {"game": own, "address": f"/games/{own}"}
        return JSONResponse(
            answer | {name: f"/games/{getattr(table, name)}" for name in ("invitation", "watching")}, 201
        )

    async def _started(self, table: Table, ready: bool) -> None:
        """Begin the game of a table; wait for the first picture if nothing needs to be compiled."""
        waiting = self.preparation.launch(table)
        if ready:
            await waiting.over.wait()
            if waiting.refusal is not None:
                self.tables.close(table)
                raise waiting.refusal

    async def join(self, request: Request) -> Response:
        """Give an open seat to a person."""
        table, _, invited = self.place(request)
        body = await body_of(request, "name", "seat")
        if not invited:
            raise Refusal(403, "Join the table by its invitation.")
        seat = table.join(body.get("name"), body.get("seat"))
        self.tables.index(table)
        return JSONResponse({"game": seat.token, "address": f"/games/{seat.token}"}, 201)

    async def start(self, request: Request) -> Response:
        """Start the game; bots take the open seats."""
        table, _, _ = self.seated(request)
        await body_of(request)
        ready = self.preparation.ready(table.order)
        table.start()
        await self._started(table, ready)
        return JSONResponse({"started": True})

    async def leave(self, request: Request) -> Response:
        """Leave a table: open the seat before the start, afterwards let a bot play, also for others who are absent."""
        table, seat, _ = self.seated(request)
        body = await body_of(request, "seat")
        if table.started:
            game, _ = await self.game(request)
            if "seat" in body:
                game.excuse(seat, body["seat"])
            else:
                game.leave(seat)
        else:
            if "seat" in body:
                raise Refusal(409, "Nobody is absent before the game has been started; leave out field 'seat'.")
            table.leave(seat)
            self.tables.index(table)
        return JSONResponse({"left": True})

    async def come_back(self, request: Request) -> Response:
        """Take the own seat back from the bot."""
        self.seated(request)
        await body_of(request)
        game, seat = await self.game(request)
        game.come_back(seat)
        return JSONResponse({"left": False})

    async def rematch(self, request: Request) -> Response:
        """Return the visitor's link at the table of the rematch; the first request sets this table up."""
        game, seat = await self.game(request)
        table = self.place(request).table
        await body_of(request)
        if seat == NOBODY and table.people:
            raise Refusal(403, "This link is not the link of a seat.")
        if not game.session.game.over:
            raise Refusal(409, "A rematch is possible once the game is over.")
        # Nothing is awaited between the check and the new table: two people who ask at once get the same one.
        if not table.rematch or not self.tables.knows(table.rematch[NOBODY]):
            with self.tables.room():
                again = table.again(self.menu)
                again.save()
                self.tables.add(again)
            table.offer_rematch(again)
            if table.people < 2:
                again.start()
                await self._started(again, self.preparation.ready(again.order))
        own = table.rematch[seat]
        return JSONResponse({"game": own, "address": f"/games/{own}"}, 201)

    async def people(self, request: Request) -> Response:
        """Return the seats of a table, waiting for changes before the start and after the end."""
        table, seat, _ = self.place(request)
        return JSONResponse(await table.news(seat, request.query_params.get("since"), REQUEST_TIMEOUT))

    # Games

    async def state(self, request: Request) -> Response:
        """Return the changes since a moment."""
        game, seat = await self.game(request)
        return JSONResponse(await game.news(seat, request.query_params.get("since"), REQUEST_TIMEOUT))

    async def play(self, request: Request) -> Response:
        """Play an action."""
        (game, seat), body = await self.game(request), await body_of(request, "move", "action", "since")
        since = body.get("since")
        if since is not None and not isinstance(since, str):
            raise Refusal(400, "Field 'since' (str) must be the `moment` of an earlier answer.")
        game.play(seat, body.get("move"), body.get("action"))
        return JSONResponse(game.state(seat, since))

    async def undo(self, request: Request) -> Response:
        """Undo a decision."""
        (game, seat), body = await self.game(request), await body_of(request, "move")
        game.undo(seat, body.get("move"))
        return JSONResponse(game.state(seat))

    async def hint(self, request: Request) -> Response:
        """Return the adviser's action with its reasons."""
        (game, seat), body = await self.game(request), await body_of(request, "move")
        advice = await game.hint(seat, body.get("move"))
        return JSONResponse({"move": body["move"], "action": advice.action, "text": str(advice)})

    async def why(self, request: Request) -> Response:
        """Return which actions are legal, and why others are not."""
        game, seat = await self.game(request)
        return JSONResponse({"lines": why(game.session, seat)})

    async def rules(self, request: Request) -> Response:
        """Return the page of the rules, also before the game has begun."""
        return page(rules_page(self.place(request).table.order.rules))

    async def record(self, request: Request) -> Response:
        """Return the record of a finished game."""
        game, _ = await self.game(request)
        file = f'attachment; filename="{game.session.game.rules.name}.json"'
        return Response(game.record_text(), media_type="application/json", headers={"content-disposition": file})

    async def begin_review(self, request: Request) -> Response:
        """Start the review of a finished game, or report its progress."""
        game, _ = await self.game(request)
        return JSONResponse(game.begin_review().progress())

    async def review(self, request: Request) -> Response:
        """Return the page of the review, complete or not."""
        game, seat = await self.game(request)
        return page(game.review().page(seat, f"/games/{request.path_params['name']}/review/state"))

    async def review_news(self, request: Request) -> Response:
        """Return the contents of the review so far."""
        game, _ = await self.game(request)
        return JSONResponse(game.review().news())

    def routes(self) -> list[Route]:
        """Return all routes."""
        return [
            Route("/", self.start_page),
            Route("/tables", self.lists, methods=["POST"]),
            Route("/games", self.create, methods=["POST"]),
            Route("/games/{name}", self.table),
            Route("/games/{name}/table", self.people),
            Route("/games/{name}/join", self.join, methods=["POST"]),
            Route("/games/{name}/start", self.start, methods=["POST"]),
            Route("/games/{name}/leave", self.leave, methods=["POST"]),
            Route("/games/{name}/return", self.come_back, methods=["POST"]),
            Route("/games/{name}/state", self.state),
            Route("/games/{name}/moves", self.play, methods=["POST"]),
            Route("/games/{name}/undo", self.undo, methods=["POST"]),
            Route("/games/{name}/hint", self.hint, methods=["POST"]),
            Route("/games/{name}/why", self.why),
            Route("/games/{name}/rules", self.rules),
            Route("/games/{name}/rematch", self.rematch, methods=["POST"]),
            Route("/games/{name}/record", self.record),
            Route("/games/{name}/review", self.begin_review, methods=["POST"]),
            Route("/games/{name}/review", self.review),
            Route("/games/{name}/review/state", self.review_news),
        ]

    @asynccontextmanager
    async def lifespan(self, app: Starlette) -> AsyncIterator[None]:
        """Close idle tables regularly, and all tables at the end."""

        async def sweep() -> None:
            while True:
                # On a full disk, what is old is deleted once there is room.
                with suppress(Refusal):
                    self.tables.forget_old()
                await asyncio.sleep(SWEEP)
                self.tables.forget_idle()

        sweeping = asyncio.create_task(sweep())
        yield
        sweeping.cancel()
        await self.preparation.close()
        self.tables.close_all()


def make_app(
    menu: Menu,
    tables: Tables,
    adviser: str | None = None,
    names: Collection[str] = (),
    patience: float | None = None,
    rates: Rates | None = None,
) -> Starlette:
    """Return the server as an ASGI application.

    Args:
        menu: games and agents on offer.
        tables: the current tables.
        adviser: spec of the agent for hints and reviews; None for the default.
        names: host names of this machine besides localhost.
        patience: seconds for a decision of an agent, after which a bot replaces it; None for no limit.
        rates: limits for every address; None for no limit.

    Raises:
        OptionError: a host name is none.
    """
    hosts = [host_name(name) for name in names]
    server = Server(menu, tables, Preparation(adviser, patience))
    return Starlette(
        routes=server.routes(),
        middleware=[Middleware(Guard, names=hosts), Middleware(Limits, rates=rates)],
        exception_handlers={Refusal: refused, HTTPException: not_found, Exception: failed},
        lifespan=server.lifespan,
    )
