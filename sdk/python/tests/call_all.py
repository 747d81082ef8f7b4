"""Makes the calls that standard input lists, and prints how each ended."""

from __future__ import annotations

import json
import re
import sys
from typing import Any, Dict, List

from cairn import Cairn, CairnError

KEYWORDS = {"continue", "from", "import", "not", "and", "or", "in"}


def snake(name: str) -> str:
    text = re.sub(r"[A-Z]", lambda letter: "_" + letter.group().lower(), name)
    return text + "_" if text in KEYWORDS else text


def call(cairn: Cairn, one: Dict[str, Any]) -> None:
    method: Any = cairn
    for part in one["name"].split("."):
        method = getattr(method, snake(part))
    given: List[Any] = list(one["path"])
    if "file" in one:
        given.append(("a.txt", one["file"].encode()))
    if one["kind"] == "mcp":
        answer = method(*given, one["fields"])
    else:
        answer = method(*given, **{snake(name): value for name, value in one["fields"].items()})
    if one["kind"] == "stream":
        for _event in answer:
            break
    elif hasattr(answer, "first"):
        answer.first()


def main() -> None:
    said = json.load(sys.stdin)
    outcomes = {}
    with Cairn(base_url=said["base_url"], api_key=said["api_key"]) as cairn:
        for one in said["calls"]:
            try:
                call(cairn, one)
                outcomes[one["id"]] = "ok"
            except CairnError as error:
                outcomes[one["id"]] = error.code or repr(error)
    json.dump(outcomes, sys.stdout)


main()
