"""The types of what the API takes and gives."""

from .generated.types import *  # noqa: F403
