"""Lists by pages."""

from __future__ import annotations

from typing import Any, AsyncIterator, Dict, Generator, Generic, Iterator, List, Optional, TypeVar, Union, cast

from ._call import Call
from ._options import RequestOptions
from ._transport import AsyncTransport, Transport

Item = TypeVar("Item")
Page = TypeVar("Page")


class _Position:
    """Where the next page is, and whether there is one."""

    def __init__(self, given: Dict[str, Any], rows: str, numbered: bool) -> None:
        self.given = dict(given)
        self._rows = rows
        self._numbered = numbered
        self._seen = 0

    def moves_past(self, page: Dict[str, Any]) -> bool:
        count = len(page[self._rows])
        self._seen += count
        if self._numbered:
            self.given["page"] = int(self.given.get("page", 1)) + 1
            return count > 0 and self._seen < int(page["total"])
        self.given["cursor"] = page.get("next_cursor")
        return self.given["cursor"] is not None


TransportT = TypeVar("TransportT", bound=Union[Transport, AsyncTransport])


class _Listing(Generic[TransportT]):
    """A list, and where its rows are in a page."""

    def __init__(
        self,
        transport: TransportT,
        call: Call,
        given: Dict[str, Any],
        options: Optional[RequestOptions],
        rows: str,
        numbered: bool,
    ) -> None:
        self._transport = transport
        self._call = call
        self._given = given
        self._options = options
        self._rows = rows
        self._numbered = numbered


class Pages(_Listing[Transport], Generic[Item, Page]):
    """Iterated, every row of every page; `first()` is the first page as the API gives it."""

    def first(self) -> Page:
        return cast(Page, self._transport.json(self._call, self._given, self._options))

    def pages(self) -> Iterator[Page]:
        position = _Position(self._given, self._rows, self._numbered)
        while True:
            page = self._transport.json(self._call, position.given, self._options)
            yield cast(Page, page)
            if not position.moves_past(page):
                return

    def __iter__(self) -> Iterator[Item]:
        for page in self.pages():
            yield from cast(Dict[str, List[Item]], page)[self._rows]


class AsyncPages(_Listing[AsyncTransport], Generic[Item, Page]):
    """Awaited, the first page as the API gives it; iterated, every row of every page."""

    async def first(self) -> Page:
        return cast(Page, await self._transport.json(self._call, self._given, self._options))

    def __await__(self) -> Generator[Any, None, Page]:
        return self.first().__await__()

    async def pages(self) -> AsyncIterator[Page]:
        position = _Position(self._given, self._rows, self._numbered)
        while True:
            page = await self._transport.json(self._call, position.given, self._options)
            yield cast(Page, page)
            if not position.moves_past(page):
                return

    async def __aiter__(self) -> AsyncIterator[Item]:
        async for page in self.pages():
            for item in cast(Dict[str, List[Item]], page)[self._rows]:
                yield item
