"""The clients."""

from __future__ import annotations

from types import TracebackType
from typing import Any, AsyncIterator, Dict, Iterable, Iterator, List, Mapping, Optional, Type

import httpx

from . import _documents, _events, _runs
from ._credentials import Credentials, KeySource
from .generated.resources import AsyncResources, Resources
from ._loopback import LOCAL_NAMES, AsyncLoopbackTransport, LoopbackTransport
from ._retries import MAX_RETRIES, TIMEOUT
from ._tools import Tool, tools_of
from ._transport import AsyncTransport, Transport
from .generated.types import Document, RunEvent, RunStatus

DEFAULT_BASE_URL = "http://localhost:8080"


class Cairn(Resources):
    """A client of Cairn.

    `api_key` is a key or a function that gives the one of the moment; `client_id` and `client_secret` are an OAuth
    client's, whose tokens are renewed before they end. `memory_id` is the memory that calls mean where they name none.
    """

    def __init__(
        self,
        *,
        base_url: str = DEFAULT_BASE_URL,
        api_key: Optional[KeySource] = None,
        client_id: Optional[str] = None,
        client_secret: Optional[str] = None,
        memory_id: Optional[str] = None,
        timeout: float = TIMEOUT,
        max_retries: int = MAX_RETRIES,
        headers: Optional[Mapping[str, str]] = None,
        http_client: Optional[httpx.Client] = None,
    ) -> None:
        credentials = Credentials(api_key, client_id, client_secret)
        client = http_client or httpx.Client(follow_redirects=False, mounts={LOCAL_NAMES: LoopbackTransport()})
        transport = Transport(client, base_url, credentials, timeout, max_retries, headers or {})
        super().__init__(transport, {} if memory_id is None else {"memory_id": memory_id})

    def memory(self, memory_id: str) -> Resources:
        """The same client, whose calls mean this memory where they name none."""
        return Resources(self._transport, {"memory_id": memory_id})

    def tools(self, memory_id: str, *, writes: bool = False) -> List[Tool]:
        """The memory as tools for an agent: typed functions with docstrings, which LangChain, OpenAI Agents, CrewAI,
        Pydantic AI and others take. They search, list and read; with `writes` there is one that remembers a text.
        """
        return tools_of(self.memory(memory_id), writes)

    def wait_for_documents(self, doc_ids: Iterable[str]) -> List[Document]:
        """Waits until the documents are searchable or have failed."""
        return _documents.wait(self, doc_ids)

    def follow_run(self, thread_id: str, *, after: int = 0) -> Iterator[RunEvent]:
        """Every event of a run; it reconnects by itself and ends with the run."""
        return _runs.follow(self, thread_id, after)

    def wait_for_run(self, thread_id: str) -> RunStatus:
        """How the run stands once it has ended."""
        return _runs.wait(self, thread_id)

    def follow_events(
        self, *, types: Optional[str] = None, memory_id: Optional[str] = None, last_event_id: Optional[int] = None
    ) -> Iterator[Dict[str, Any]]:
        """What happens, from now on or after `last_event_id`; it reconnects by itself, without gap or repeat."""
        return _events.follow(self, types, memory_id, last_event_id)

    def close(self) -> None:
        self._transport.client.close()

    def __enter__(self) -> Cairn:
        return self

    def __exit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        self.close()


class AsyncCairn(AsyncResources):
    """The same client for asyncio."""

    def __init__(
        self,
        *,
        base_url: str = DEFAULT_BASE_URL,
        api_key: Optional[KeySource] = None,
        client_id: Optional[str] = None,
        client_secret: Optional[str] = None,
        memory_id: Optional[str] = None,
        timeout: float = TIMEOUT,
        max_retries: int = MAX_RETRIES,
        headers: Optional[Mapping[str, str]] = None,
        http_client: Optional[httpx.AsyncClient] = None,
    ) -> None:
        credentials = Credentials(api_key, client_id, client_secret)
        client = http_client or httpx.AsyncClient(
            follow_redirects=False, mounts={LOCAL_NAMES: AsyncLoopbackTransport()}
        )
        transport = AsyncTransport(client, base_url, credentials, timeout, max_retries, headers or {})
        super().__init__(transport, {} if memory_id is None else {"memory_id": memory_id})

    def memory(self, memory_id: str) -> AsyncResources:
        """The same client, whose calls mean this memory where they name none."""
        return AsyncResources(self._transport, {"memory_id": memory_id})

    async def wait_for_documents(self, doc_ids: Iterable[str]) -> List[Document]:
        """Waits until the documents are searchable or have failed."""
        return await _documents.wait_async(self, doc_ids)

    def follow_run(self, thread_id: str, *, after: int = 0) -> AsyncIterator[RunEvent]:
        """Every event of a run; it reconnects by itself and ends with the run."""
        return _runs.follow_async(self, thread_id, after)

    async def wait_for_run(self, thread_id: str) -> RunStatus:
        """How the run stands once it has ended."""
        return await _runs.wait_async(self, thread_id)

    def follow_events(
        self, *, types: Optional[str] = None, memory_id: Optional[str] = None, last_event_id: Optional[int] = None
    ) -> AsyncIterator[Dict[str, Any]]:
        """What happens, from now on or after `last_event_id`; it reconnects by itself, without gap or repeat."""
        return _events.follow_async(self, types, memory_id, last_event_id)

    async def aclose(self) -> None:
        await self._transport.client.aclose()

    async def __aenter__(self) -> AsyncCairn:
        return self

    async def __aexit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        await self.aclose()


__all__ = ["AsyncCairn", "Cairn"]
