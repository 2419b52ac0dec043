"""Reading of answers: from what a person or a language model wrote to one legal action.

The reading is tolerant of accents, case, punctuation, aliases of cities and words around the action, and strict in one
point: an answer that could mean two actions means none.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from thurn_env.checks import quoted
from thurn_env.errors import ThurnError, clipped, some_of
from thurn_env.games.contract import GameRules
from thurn_env.games.show.talk import talk_of
from thurn_env.table.game import View
from thurn_env.talk.listing import are_numbered

__all__ = ["NotUnderstood", "read_answer"]

Words = tuple[str, ...]

LONGEST_ANSWER = 20_000
"""Number of characters of an answer that are read; of a longer one, the end."""
THOUGHTS = re.compile(r"<(think|thinking|reasoning)>.*?</\1>|^.*?</(?:think|thinking|reasoning)>", re.DOTALL)
"""Reasoning that some endpoints return as part of the answer; the opening mark may be missing."""
MARKED = re.compile(
    r"^[^\w\n]*(?:final |my |chosen )?(?:action|answer|move)\W*?:\W*(\S.*)$", re.IGNORECASE | re.MULTILINE
)
"""A line that announces the action. What stands before the announcement is of the same line: the search begins at every
line, and through many empty ones each of them would take long.
"""
ENUMERATED = re.compile(r"^\W*(\d+)\W+(?=[^\W\d])")
"""A number before an action, as in a list."""
NEGATIONS = frozenset(
    {"avoid", "cannot", "cant", "doesnt", "dont", "instead", "never", "no", "not", "than", "without", "wont"}
)
NEGATION_REACH = 2
"""Number of words before an action in which a negation makes it an action not to be played."""
FILLERS = frozenset(
    {
        *(
            "a",
            "an",
            "and",
            "at",
            "for",
            "from",
            "in",
            "is",
            "it",
            "its",
            "of",
            "on",
            "so",
            "the",
            "then",
            "this",
            "to",
        ),
        *("i", "id", "ill", "like", "me", "my", "please", "we", "will", "with", "would", "lets", "now", "ok", "okay"),
        *("action", "answer", "choice", "choose", "final", "go", "move", "number", "option", "pick", "place", "play"),
        *("card", "cards", "city", "display", "select", "track"),
    }
)
"""Words that mean nothing in an answer, unless they belong to an action of the game."""
SPECIAL_LETTERS = str.maketrans({"ł": "l", "ø": "o", "đ": "d", "æ": "ae", "œ": "oe"})
APOSTROPHES = re.compile("['\u2019]")
VOWEL_WITH_E = re.compile(r"([aou])e")


class NotUnderstood(ThurnError):
    """An answer that names no legal action, or more than one; the message is one sentence."""


class Wording(NamedTuple):
    """A way to write an action: its folded words, and the index of the action."""

    words: Words
    action: int


class Vocabulary(NamedTuple):
    """All actions of a game in folded words.

    Attributes:
        wordings: wordings of all actions, by first word.
        of_action: wordings of every action.
        fillers: words to ignore, without those that occur in actions.
    """

    wordings: dict[str, list[Wording]]
    of_action: tuple[tuple[Words, ...], ...]
    fillers: frozenset[str]


def folded(text: str) -> Words:
    """Return the words of a text in lower case without accents; `ü` and `ue` become `u`, so spellings compare equal."""
    apart = unicodedata.normalize("NFKD", APOSTROPHES.sub("", text.casefold().translate(SPECIAL_LETTERS)))
    bare = "".join(letter for letter in apart if not unicodedata.combining(letter))
    return tuple(VOWEL_WITH_E.sub(r"\1", word) for word in re.findall(r"[^\W_]+", bare))


@lru_cache(maxsize=64)
def _vocabulary(rules: GameRules) -> Vocabulary:
    spellings = talk_of(rules).spellings(rules)
    of_action = []
    for text in rules.action_texts:
        texts = [text, *(text.replace(name, other) for other, name in spellings.items() if name in text)]
        of_action.append(tuple(dict.fromkeys(map(folded, texts))))
    wordings: dict[str, list[Wording]] = {}
    for action, ways in enumerate(of_action):
        for words in ways:
            wordings.setdefault(words[0], []).append(Wording(words, action))
    used = {word for ways in of_action for words in ways for word in words}
    return Vocabulary(wordings, tuple(of_action), FILLERS - used)


def read_answer(answer: str, view: View) -> str:
    """Return the text of the legal action that an answer means.

    It reads the text of an action, its number in the list of legal actions (see `thurn_env.talk.listing`), a text with
    other accents, case or punctuation, an action inside a sentence, and a part that only one legal action has. A line
    such as `Action: take Ulm` decides, whatever the other lines say; the last such line counts.

    Args:
        answer: what was written.
        view: the view of the seat to move.

    Raises:
        NotUnderstood: the answer names no legal action, or several.
    """
    text = THOUGHTS.sub(" ", answer[-LONGEST_ANSWER:]).strip()
    reader = _Reader(view)
    if marked := MARKED.findall(text):
        return reader.read(marked[-1])
    return reader.read(text)


class _Reader:
    """Reads answers in one position."""

    def __init__(self, view: View) -> None:
        self.game = view.game
        self.rules = view.game.rules
        self.legal = [int(index) for index in view.legal_actions]
        self.texts = self.rules.action_texts
        self.numbered = are_numbered([self.texts[index] for index in self.legal])
        self.vocabulary = _vocabulary(self.rules)

    def read(self, text: str) -> str:
        """Return the legal action that a text means."""
        words = folded(text)
        if not words:
            raise NotUnderstood(f"the answer is empty; {self._legal()}")
        exact = self.rules.action_indices.get(unicodedata.normalize("NFC", text.strip()))
        if exact in self.legal:
            return self.texts[exact]
        kept = [word for word in words if word not in self.vocabulary.fillers]
        if len(kept) == 1 and kept[0].isdecimal():
            return self._numbered(int(kept[0][:9]), kept[0])
        named = self._named(words)
        if named:
            return self._chosen(text, named)
        return self._by_part(text, kept)

    def _numbered(self, number: int, word: str) -> str:
        """Return the legal action with a number: in the list, or in its text if the list is not numbered."""
        if self.numbered:
            named = [self.legal[number - 1]] if 1 <= number <= len(self.legal) else []
        else:
            ways = self.vocabulary.of_action
            named = [action for action in self.legal if any(word in words for words in ways[action])]
        return self._only_one(word, named)

    def _named(self, words: Words) -> list[int]:
        """Return the actions, legal or not, that are written out in a text, without those after a negation."""
        found: list[tuple[int, int, int]] = []
        furthest: dict[int, int] = {}
        for start, word in enumerate(words):
            for wording in self.vocabulary.wordings.get(word, ()):
                if words[start : start + len(wording.words)] == wording.words:
                    end = start + len(wording.words)
                    found.append((start, end, wording.action))
                    furthest[start] = max(end, furthest.get(start, 0))
        legal = set(self.legal)
        reach = max((end - start for start, end, _ in found), default=0)

        def inside_longer(start: int, end: int) -> bool:
            """Return whether these words belong to a longer action: "take Ulm" is also "Ulm", if there is that."""
            near = range(max(0, start - reach), start + 1)
            return any(furthest.get(other, 0) >= end and furthest[other] - other > end - start for other in near)

        named = [
            action
            for start, end, action in found
            if not inside_longer(start, end)
            and not NEGATIONS & set(words[max(0, start - NEGATION_REACH) : start])
            # Illegal actions of one word, such as "end", are ordinary words.
            and (action in legal or end - start > 1 or len(words) == 1)
        ]
        return list(dict.fromkeys(named))

    def _chosen(self, text: str, named: Sequence[int]) -> str:
        """Return the only action among those that were named, if it is legal."""
        legal = [action for action in named if action in self.legal]
        if len(named) > 1 or legal:
            action = self._only_one(text, named)
            if self.numbered and (number := ENUMERATED.match(text)) and number[1].isdecimal():
                place = int(number[1][:9])
                if not 1 <= place <= len(self.legal) or self.texts[self.legal[place - 1]] != action:
                    raise NotUnderstood(f"{quoted(text)} gives the number {place}, which is not that of {action!r}")
            return action
        reason = self.rules.why_illegal(self.game.states, 0, named[0])
        raise NotUnderstood(f"{self.texts[named[0]]!r} is not legal now: {reason}; {self._legal()}")

    def _by_part(self, text: str, kept: Sequence[str]) -> str:
        """Return the only legal action that has all words of a text."""
        wanted = set(kept)
        matches = [
            action for action in self.legal if any(wanted <= set(words) for words in self.vocabulary.of_action[action])
        ]
        if not wanted or not matches:
            raise NotUnderstood(f"{quoted(text)} names no legal action; {self._legal()}")
        return self._only_one(text, matches)

    def _only_one(self, text: str, actions: Iterable[int]) -> str:
        """Return the text of the only action; raise `NotUnderstood` if there is none or more than one."""
        texts = [self.texts[action] for action in actions]
        if not texts:
            raise NotUnderstood(f"there is no action with the number {clipped(text)}; {self._legal()}")
        if len(texts) > 1:
            raise NotUnderstood(f"{quoted(text)} may mean {some_of(texts)}; name one action")
        return texts[0]

    def _legal(self) -> str:
        return f"legal: {some_of([self.texts[action] for action in self.legal])}"
