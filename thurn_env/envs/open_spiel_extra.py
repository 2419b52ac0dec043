"""OpenSpiel's Python module, of the extra `openspiel`."""

from thurn_env.errors import MissingExtra

try:
    import pyspiel
except ModuleNotFoundError as error:
    if error.name != "pyspiel":
        raise
    raise MissingExtra(
        'OpenSpiel is not installed; it is in the extra "openspiel": pip install "thurn-env[openspiel]"'
    ) from None

__all__ = ["pyspiel"]
