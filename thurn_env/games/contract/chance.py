"""Chance as records write it."""

from abc import abstractmethod
from collections.abc import Mapping
from typing import Any, ClassVar

from thurn_env.games.contract.rules import Records, Rules

Chance = dict[str, Any]
"""The outcomes of chance as records write them. An outcome is a list of names; under every key of
`RecordedChance.chance_forms` stands a list of outcomes in order, or a dict of outcomes by name, each of which comes
once."""


def add_outcomes(chance: Chance, brought: Chance) -> None:
    """Add outcomes of chance to those before."""
    for key, outcomes in brought.items():
        if isinstance(outcomes, dict):
            chance[key].update(outcomes)
        else:
            chance[key].extend(outcomes)


class RecordedChance(Rules):
    """A game whose outcomes of chance can be recorded, and given to replay a record.

    Attributes:
        chance_forms: the keys under which records write outcomes of chance, each with `list` or `dict`, see `Chance`.
    """

    chance_forms: ClassVar[Mapping[str, type]]

    @abstractmethod
    def deal_recorded(
        self, states: Records, index: int, seed: int, start_player: int, given: Chance | None = None
    ) -> Chance:
        """Like `deal`; returns the outcomes of chance that it brought, keys without any left out.

        If outcomes are `given`, chance takes the next ones from there instead of its own, and removes them. Raises
        `RecordError` if one is missing or does not fit; the game may then be left unfinished.
        """

    @abstractmethod
    def play_recorded(self, states: Records, index: int, action: int, given: Chance | None = None) -> Chance:
        """Like `play`; what chance does is taken from `given` and returned as by `deal_recorded`."""

    def no_chance(self) -> Chance:
        """The keys of `chance_forms`, without any outcome yet."""
        return {key: form() for key, form in self.chance_forms.items()}
