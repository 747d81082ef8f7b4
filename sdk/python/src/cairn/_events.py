"""Follows the events of a tenant."""

from __future__ import annotations

import asyncio
import time
from typing import Any, AsyncIterator, Dict, Iterator, Optional, Union

from ._errors import CairnError
from ._runs import Progress
from .generated.resources import AsyncResources, Resources

Event = Dict[str, Any]
# Nothing is known yet of where the stream begins.
_NOWHERE = -1


class _Following:
    """Which events are followed, and how far they were seen."""

    def __init__(self, types: Optional[str], memory_id: Optional[str], last_event_id: Optional[int]) -> None:
        self.progress = Progress(_NOWHERE if last_event_id is None else last_event_id)
        self._given: Dict[str, Any] = {
            name: value for name, value in (("types", types), ("memory_id", memory_id)) if value is not None
        }

    def stream(self, cairn: Union[Resources, AsyncResources]) -> Any:
        given = dict(self._given)
        if self.progress.seen != _NOWHERE:
            given["last_event_id"] = self.progress.seen
        return cairn.events.stream(**given)

    def shows(self, event: Event) -> bool:
        is_position = event["type"] == "stream.position"
        seen, position = self.progress.seen, event["position"]
        if position < seen or (position == seen and not is_position):
            return False
        self.progress.note(position)
        return not is_position


def follow(
    cairn: Resources, types: Optional[str], memory_id: Optional[str], last_event_id: Optional[int]
) -> Iterator[Event]:
    following = _Following(types, memory_id, last_event_id)
    while True:
        error = None
        try:
            for event in following.stream(cairn):
                if following.shows(event):
                    yield event
        except CairnError as failure:
            error = failure
        time.sleep(following.progress.pause(error))


async def follow_async(
    cairn: AsyncResources, types: Optional[str], memory_id: Optional[str], last_event_id: Optional[int]
) -> AsyncIterator[Event]:
    following = _Following(types, memory_id, last_event_id)
    while True:
        error = None
        try:
            async for event in following.stream(cairn):
                if following.shows(event):
                    yield event
        except CairnError as failure:
            error = failure
        await asyncio.sleep(following.progress.pause(error))
