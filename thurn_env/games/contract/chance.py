"""Recorded outcomes of chance."""

from abc import abstractmethod
from collections.abc import Mapping
from typing import Any, ClassVar

from thurn_env.games.contract.rules import Records, Rules

Chance = dict[str, Any]
"""Outcomes of chance in the form of records. An outcome is a list of names. Every key of `RecordedChance.chance_forms`
holds a list of outcomes in order, or a dict of outcomes by name, each of which occurs once.
"""


def add_outcomes(chance: Chance, brought: Chance) -> None:
    """Add new outcomes of chance to earlier ones, in place."""
    for key, outcomes in brought.items():
        if isinstance(outcomes, dict):
            chance[key].update(outcomes)
        else:
            chance[key].extend(outcomes)


class RecordedChance(Rules):
    """A game whose outcomes of chance can be recorded and replayed.

    Attributes:
        chance_forms: keys under which records store outcomes of chance, each with `list` or `dict`, see `Chance`.
    """

    chance_forms: ClassVar[Mapping[str, type]]

    @abstractmethod
    def deal_recorded(
        self, states: Records, index: int, seed: int, start_player: int, given: Chance | None = None
    ) -> Chance:
        """Deal a game and return the outcomes of chance that occurred, without empty keys; see `deal`.

        Args:
            states: state records.
            index: the game in `states`.
            seed: seed of chance.
            start_player: seat that begins; a negative one is drawn at random.
            given: outcomes to use; the game removes them as it consumes them.

        Raises:
            RecordError: a given outcome is missing or does not fit; the game may then be incomplete.
        """

    @abstractmethod
    def play_recorded(self, states: Records, index: int, action: int, given: Chance | None = None) -> Chance:
        """Play an action and return the outcomes of chance that occurred; see `play` and `deal_recorded`."""

    def no_chance(self) -> Chance:
        """Return the keys of `chance_forms`, each without outcomes."""
        return {key: form() for key, form in self.chance_forms.items()}
