"""A call and its fields."""

from __future__ import annotations

import json
from typing import Any, Dict, FrozenSet, Mapping, NamedTuple, Optional
from urllib.parse import quote

from ._options import FileInput, NotGiven, file_part


class Call(NamedTuple):
    method: str
    template: str
    path: Mapping[str, str]
    marks: FrozenSet[str]
    query: FrozenSet[str]


class Prepared(NamedTuple):
    """A request that can be sent more than once."""

    method: str
    path: str
    params: Dict[str, str]
    content: Dict[str, Any]
    """What httpx takes: `json`, `data` or `data` and `files`."""
    repeatable: bool


def arguments(given: Mapping[str, Any], defaults: Optional[Mapping[str, Any]] = None) -> Dict[str, Any]:
    """The fields that were given, over those that the client says by default."""
    said = {name: value for name, value in given.items() if not isinstance(value, NotGiven)}
    return {**(defaults or {}), **said}


def prepare(call: Call, given: Mapping[str, Any], file: Optional[FileInput] = None) -> Prepared:
    for name, value in call.path.items():
        # An address would lose `.` and `..`, and so name something else.
        if not isinstance(value, str) or value in ("", ".", ".."):
            raise TypeError(f"{name} must be a text that can be part of a path")
    path = call.template.format(**{name: quote(value, safe="") for name, value in call.path.items()})
    has_body = call.method not in ("GET", "DELETE")
    params = {name: _text(value) for name, value in given.items() if not has_body or name in call.query}
    body = {name: value for name, value in given.items() if has_body and name not in call.query}
    # A search in a thread writes turns and takes no idempotency key.
    changes = call.method == "POST" and not call.marks & {"repeat", "oauth"}
    repeatable = not changes or ("read" in call.marks and "thread_id" not in given)
    return Prepared(call.method, path, params, _content(call, body, file) if has_body else {}, repeatable)


def _content(call: Call, body: Dict[str, Any], file: Optional[FileInput]) -> Dict[str, Any]:
    if file is not None:
        return {"data": {name: _field(value) for name, value in body.items()}, "files": {"file": file_part(file)}}
    if "oauth" in call.marks:
        return {"data": body}
    return {} if call.marks & {"bare", "empty"} else {"json": body}


def _field(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (list, tuple)):
        return ",".join(str(one) for one in value)
    return str(value)
