"""What can be said about a call, beside its fields."""

from __future__ import annotations

import io
import os
from typing import IO, Any, Dict, Tuple, TypedDict, Union


class NotGiven:
    """Says that a field is left out, which is something else than None."""

    def __bool__(self) -> bool:
        return False

    def __repr__(self) -> str:
        return "NOT_GIVEN"


NOT_GIVEN = NotGiven()


class RequestOptions(TypedDict, total=False):
    timeout: float
    """Seconds for each attempt until the answer begins; of a stream, also the longest silence (it says something every 15)."""
    max_retries: int
    """Attempts after the first."""
    idempotency_key: str
    """Makes a call that creates something safe to repeat; by default one is made for each call."""
    headers: Dict[str, str]


FileInput = Union["os.PathLike[str]", IO[bytes], Tuple[str, bytes], Tuple[str, bytes, str]]
"""A path, an open file, or name, content and perhaps the media type."""


def file_part(file: FileInput) -> Tuple[Any, ...]:
    """Name and content, read once, so that a second attempt sends the same."""
    if isinstance(file, tuple):
        return file
    if isinstance(file, os.PathLike):
        with open(file, "rb") as opened:
            return (os.path.basename(os.fspath(file)), opened.read())
    name = getattr(file, "name", None)
    content = file.getvalue() if isinstance(file, io.BytesIO) else file.read()
    return (os.path.basename(name) if isinstance(name, str) else "file", content)
