"""`thurn replay`: show or verify recorded games."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from tyro.conf import Positional

from thurn_env.checks import LONGEST_WAIT, checked_number
from thurn_env.commands.show import TurnPrinter, output_console, print_result
from thurn_env.errors import OptionError, RecordError
from thurn_env.files import HTML, check_replaceable, write_text
from thurn_env.progress import Progress
from thurn_env.table.record import Record, texts_of_records
from thurn_env.table.replay import replay as positions_of
from thurn_env.table.replay import verify as verify_record

if TYPE_CHECKING:
    from thurn_env.players.review import Review

BAD_RECORD = 1
"""Exit code for a damaged or invalid record."""


def replay(
    file: Positional[Path],
    verify: bool = False,
    game: int | None = None,
    delay: float = 0.0,
    tables: bool = False,
    html: Path | None = None,
    review: str | None = None,
) -> int:
    """Show a recorded game, write it as a page, or verify all games of a file: every move, shuffle and the result.

    Args:
        file: file with one record (.json), or with one record per line (.jsonl).
        verify: verify all records instead of showing one.
        game: number of the game to show or to verify, from 1.
        delay: seconds to wait after every turn.
        tables: show the whole table after every turn.
        html: write the game to this file, as a page to step through in a browser, instead of showing it here.
        review: review the game by this agent, for example mcts:4000: print the accuracy of every player and the
            mistakes, or, with --html, add them to the page.
    """
    if verify and html is not None:
        raise OptionError("--verify writes no page; leave out --verify or --html")
    if verify and review is not None:
        raise OptionError("--verify reviews no game; leave out --verify or --review")
    shown = not (verify or html is not None or review is not None)
    if not shown and (tables or delay):
        raise OptionError(f"{'--tables' if tables else '--delay'} applies only to a game that is shown turn by turn")
    checked_number("--delay", delay, 0, LONGEST_WAIT)
    try:
        if verify:
            return _verify(file, game)
        if html is not None:
            check_replaceable(html, HTML, "a page")
            return _write_page(file, 1 if game is None else game, html, review)
        if review is not None:
            return _print_review(file, 1 if game is None else game, review)
        return _show(file, 1 if game is None else game, delay, tables)
    except RecordError as error:
        print(f"thurn replay: {error}", file=sys.stderr)
        return BAD_RECORD


def _count(file: Path) -> int:
    """Return the number of records in a file."""
    return len(texts_of_records(file))


def _numbered(file: Path, number: int) -> Record:
    for place, record in enumerate(Record.load_all(file), start=1):
        if place == number:
            return record
    raise RecordError(f"{file}: there is no game {number}; the games are 1 to {_count(file)}")


def _verify(file: Path, number: int | None) -> int:
    records = Record.load_all(file) if number is None else iter([_numbered(file, number)])
    verified = 0
    with Progress("verify", _count(file) if number is None else 1) as progress:
        for verified, record in enumerate(records, start=1):
            try:
                verify_record(record)
            except RecordError as error:
                raise RecordError(f"{file}, game {number or verified}: {error}") from None
            progress.advance()
    print(f"{file}: {verified} {'games' if verified != 1 else 'game'} verified")
    return 0


def _title(file: Path, number: int) -> str:
    count = _count(file)
    return file.name + (f", game {number} of {count}" if count > 1 else "")


def _write_page(file: Path, number: int, html: Path, reviewer: str | None) -> int:
    from thurn_env.show.page import replay_page

    record = _numbered(file, number)
    review = None if reviewer is None else _reviewed(record, reviewer)
    with Progress("draw", len(record.moves) + 1, "positions") as progress:
        page = replay_page(record, _title(file, number), progress.advance, review)
    write_text(html, page)
    print(f"The page is {html} ({len(page.encode()) / 1024:.0f} KiB); open it in a browser.")
    return 0


def _reviewed(record: Record, reviewer: str) -> Review:
    """Return the complete review of a record."""
    from thurn_env.players.review import Reviewer

    made = Reviewer(record.rules, reviewer)
    with Progress("review", 0, "decisions") as progress:
        earlier, stage = 0, 1
        for review in made.review(record):
            if review.stage != stage:
                earlier, stage = progress.done, review.stage
            progress.name(f"review, pass {review.stage} of {review.stages}")
            progress.expect(earlier + review.of)
            progress.advance(earlier + review.done - progress.done)
    return review


def _print_review(file: Path, number: int, reviewer: str) -> int:
    from thurn_env.commands.review import print_review

    record = _numbered(file, number)
    print_review(output_console(), record, _reviewed(record, reviewer))
    return 0


def _show(file: Path, number: int, delay: float, tables: bool) -> int:
    record = _numbered(file, number)
    console = output_console()
    count = _count(file)
    which = f", game {number} of {count}" if count > 1 else ""
    rules = record.rules
    console.print(f"{rules.title}, board {rules.board_name}{which}", markup=False)
    printer = TurnPrinter(console, record.agents, delay=delay, tables=tables)
    # Stay one move behind, so that every position is shown with the move that follows.
    positions = positions_of(record)
    game = next(positions)
    for move, after in zip(record.moves, positions, strict=True):
        printer(game, move)
        game = after
    printer.finish(game)
    if game.over:
        print_result(console, game, record.agents)
    else:
        console.print("the record ends here: the game is unfinished")
    return 0
