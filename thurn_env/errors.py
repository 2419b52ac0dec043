"""The errors of the package. Each says what is wrong and what would be right."""


class ThurnError(ValueError):
    """Base of all errors raised for wrong input."""


class OptionError(ThurnError):
    """An unknown option, a value out of range, a wrong number of players."""


class IllegalAction(ThurnError):
    """An action that is unknown or not legal now; the game is unchanged."""


class RecordError(ThurnError):
    """A damaged or dishonest game record."""


class AgentError(ThurnError):
    """An unknown agent, a wrong agent spec, an agent that answered badly."""


class MissingExtra(ThurnError, ImportError):
    """An optional dependency is not installed; the message says how to install it."""
