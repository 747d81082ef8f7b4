"""Server-sent events."""

from __future__ import annotations

import codecs
import json
import re
from typing import Any, AsyncIterator, Dict, Generic, Iterator, List, Mapping, Optional, TypeVar, Union

import httpx

from ._call import Call, prepare
from ._errors import error_of
from ._options import RequestOptions
from ._retries import broken, problem_of
from ._transport import AsyncTransport, Transport

Event = Dict[str, Any]
# A CR that ends what has come so far may be half of CR LF.
_LINE_END = re.compile(r"\r\n|\n|\r(?!\Z)")


class _Reader:
    """Puts bytes together to events (WHATWG HTML, 9.2.6). Lines end with CR and LF, and not as `str.splitlines` has it."""

    def __init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._rest = ""
        self._type = "message"
        self._data: List[str] = []

    def take(self, part: bytes) -> Iterator[Event]:
        *lines, self._rest = _LINE_END.split(self._rest + self._decoder.decode(part))
        for line in lines:
            event = self._take_line(line)
            if event is not None:
                yield event

    def _take_line(self, line: str) -> Optional[Event]:
        if line == "":
            data, kind = self._data, self._type
            self._data, self._type = [], "message"
            return _event(kind, "\n".join(data)) if data else None
        field, _, text = line.partition(":")
        text = text[1:] if text.startswith(" ") else text
        if field == "event":
            self._type = text
        elif field == "data":
            self._data.append(text)
        return None


def _event(kind: str, data: str) -> Event:
    value: Event = json.loads(data)
    if kind == "error":
        raise error_of(value)
    return value if "type" in value else {"type": kind, **value}


TransportT = TypeVar("TransportT", bound=Union[Transport, AsyncTransport])


class _Streamed(Generic[TransportT]):
    """A request that is made when its events are asked for."""

    def __init__(
        self, transport: TransportT, call: Call, given: Mapping[str, Any], options: Optional[RequestOptions]
    ) -> None:
        self._transport = transport
        self._call = call
        self._given = given
        self._options: RequestOptions = options or {}


class EventStream(_Streamed[Transport]):
    """Events as they come; the request is made when the iteration begins, and ends with it."""

    def __iter__(self) -> Iterator[Event]:
        prepared = prepare(self._call, self._given)
        client = self._transport.client

        def work(arguments: Dict[str, Any]) -> httpx.Response:
            request = client.build_request(
                prepared.method, self._transport.base_url + prepared.path, **arguments
            )
            response = client.send(request, stream=True)
            if not response.is_success:
                response.read()
                raise problem_of(response)
            return response

        response = self._transport.repeat(self._call, prepared, self._options, work)
        reader = _Reader()
        try:
            for part in response.iter_bytes():
                yield from reader.take(part)
        except httpx.HTTPError as error:
            raise broken(error) from error
        finally:
            response.close()


class AsyncEventStream(_Streamed[AsyncTransport]):
    """Events as they come; the request is made when the iteration begins, and ends with it."""

    async def __aiter__(self) -> AsyncIterator[Event]:
        prepared = prepare(self._call, self._given)
        client = self._transport.client

        async def work(arguments: Dict[str, Any]) -> httpx.Response:
            request = client.build_request(
                prepared.method, self._transport.base_url + prepared.path, **arguments
            )
            response = await client.send(request, stream=True)
            if not response.is_success:
                await response.aread()
                raise problem_of(response)
            return response

        response = await self._transport.repeat(self._call, prepared, self._options, work)
        reader = _Reader()
        try:
            async for part in response.aiter_bytes():
                for event in reader.take(part):
                    yield event
        except httpx.HTTPError as error:
            raise broken(error) from error
        finally:
            await response.aclose()
