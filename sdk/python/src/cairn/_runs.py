"""Follows runs to their end."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, AsyncIterator, Iterator, cast

from ._errors import APIConnectionError, CairnError
from .generated.types import RunEvent, RunStatus

if TYPE_CHECKING:
    from ._client import AsyncCairn, Cairn

_LAST = frozenset({"run.completed", "run.failed", "run.cancelled", "run.expired"})
_RECONNECT_FIRST = 0.25
_RECONNECT_MAX = 10.0
_RECONNECTS_MAX = 8


class Progress:
    """What was seen of a stream, and whether to go on after a connection ended."""

    def __init__(self, after: int) -> None:
        self.seen = after
        self._heard = False
        self._failures = 0

    def takes(self, event: RunEvent) -> bool:
        if event["seq"] <= self.seen:
            return False
        self.note(event["seq"])
        return True

    def note(self, seen: int) -> None:
        self.seen = seen
        self._heard = True

    def pause(self, error: CairnError | None) -> float:
        """Seconds until the next connection; raises what no connection heals."""
        broken = error is None or isinstance(error, APIConnectionError) or error.status >= 500
        if error is not None and (not broken or self._failures >= _RECONNECTS_MAX):
            raise error
        self._failures = 0 if self._heard else self._failures + 1
        self._heard = False
        if self._failures > _RECONNECTS_MAX:
            raise APIConnectionError(f"The events broke off after {self.seen}.")
        return float(min(_RECONNECT_FIRST * 2.0**self._failures, _RECONNECT_MAX))


def follow(cairn: Cairn, thread_id: str, after: int = 0) -> Iterator[RunEvent]:
    progress = Progress(after)
    while True:
        error = None
        try:
            for event in cairn.runs.stream(thread_id, last_event_id=progress.seen):
                told = cast(RunEvent, event)
                if progress.takes(told):
                    yield told
                    if told["type"] in _LAST:
                        return
        except CairnError as failure:
            error = failure
        time.sleep(progress.pause(error))


def wait(cairn: Cairn, thread_id: str) -> RunStatus:
    for _event in follow(cairn, thread_id):
        pass
    return cairn.runs.status(thread_id)


async def follow_async(cairn: AsyncCairn, thread_id: str, after: int = 0) -> AsyncIterator[RunEvent]:
    progress = Progress(after)
    while True:
        error = None
        try:
            async for event in cairn.runs.stream(thread_id, last_event_id=progress.seen):
                told = cast(RunEvent, event)
                if progress.takes(told):
                    yield told
                    if told["type"] in _LAST:
                        return
        except CairnError as failure:
            error = failure
        await asyncio.sleep(progress.pause(error))


async def wait_async(cairn: AsyncCairn, thread_id: str) -> RunStatus:
    async for _event in follow_async(cairn, thread_id):
        pass
    return await cairn.runs.status(thread_id)
