"""Sends requests: credentials, time limits, retries, errors."""

from __future__ import annotations

import asyncio
import threading
import time
import uuid
from typing import Any, Awaitable, Callable, Dict, Mapping, Optional, TypeVar

import httpx

from ._call import Call, Prepared, prepare
from ._credentials import TOKEN_CALL, Credentials
from ._errors import CairnError
from ._options import FileInput, RequestOptions
from ._retries import Attempts, broken, content_of, problem_of

T = TypeVar("T")
_MCP_ACCEPT = "application/json, text/event-stream"


class _Shared:
    """What both transports have."""

    def __init__(
        self, base_url: str, credentials: Credentials, timeout: float, max_retries: int, headers: Mapping[str, str]
    ) -> None:
        self.base_url = base_url.rstrip("/")
        self.credentials = credentials
        self.timeout = timeout
        self.max_retries = max_retries
        self._headers = dict(headers)

    def headers(
        self, call: Call, options: RequestOptions, key: Optional[str], credential: Dict[str, str]
    ) -> Dict[str, str]:
        idempotency = {} if key is None else {"idempotency-key": key}
        accept = {"accept": _MCP_ACCEPT} if "mcp" in call.marks else {}
        return {**accept, **self._headers, **credential, **options.get("headers", {}), **idempotency}

    def attempts(self, call: Call, prepared: Prepared, options: RequestOptions) -> Attempts:
        renew = None if "oauth" in call.marks else self.credentials.renew
        return Attempts(options.get("max_retries", self.max_retries), prepared.repeatable, renew)

    def socket_url(self, call: Call, given: Mapping[str, Any]) -> str:
        """The address to open with a WebSocket client; the credential goes into its headers."""
        prepared = prepare(call, given)
        url = httpx.URL(self.base_url + prepared.path, params=prepared.params)
        return str(url.copy_with(scheme="wss" if url.scheme == "https" else "ws"))


def _key_of(call: Call, options: RequestOptions) -> Optional[str]:
    given = options.get("idempotency_key")
    return given if given is not None else (str(uuid.uuid4()) if "repeat" in call.marks else None)


def _arguments_of(prepared: Prepared, headers: Dict[str, str], timeout: float) -> Dict[str, Any]:
    return {"params": prepared.params, "headers": headers, "timeout": timeout, **prepared.content}


class Transport(_Shared):
    def __init__(self, client: httpx.Client, *args: Any) -> None:
        super().__init__(*args)
        self.client = client
        self._asking = threading.Lock()

    def repeat(self, call: Call, prepared: Prepared, options: RequestOptions, work: Callable[[Dict[str, Any]], T]) -> T:
        """Does `work` with what httpx takes, until it succeeds or must not be tried again."""
        key = _key_of(call, options)
        attempts = self.attempts(call, prepared, options)
        while True:
            # Asking for a token has its own repetitions.
            credential = self._credential(call)
            try:
                headers = self.headers(call, options, key, credential)
                return work(_arguments_of(prepared, headers, options.get("timeout", self.timeout)))
            except httpx.HTTPError as failure:
                error = broken(failure)
            except CairnError as refused:
                error = refused
            time.sleep(attempts.pause_after(error))

    def response(
        self,
        call: Call,
        given: Mapping[str, Any],
        options: Optional[RequestOptions] = None,
        file: Optional[FileInput] = None,
    ) -> httpx.Response:
        prepared = prepare(call, given, file)

        def work(arguments: Dict[str, Any]) -> httpx.Response:
            response = self.client.request(prepared.method, self.base_url + prepared.path, **arguments)
            if not response.is_success:
                raise problem_of(response)
            return response

        return self.repeat(call, prepared, options or {}, work)

    def json(
        self,
        call: Call,
        given: Mapping[str, Any],
        options: Optional[RequestOptions] = None,
        file: Optional[FileInput] = None,
    ) -> Any:
        response = self.response(call, given, options, file)
        return content_of(response)

    def _credential(self, call: Call) -> Dict[str, str]:
        if "oauth" in call.marks:
            return {}
        # One token is asked for by all threads that need it.
        with self._asking:
            form = self.credentials.token_request()
            if form is not None:
                self.credentials.keep_token(self.json(TOKEN_CALL, form))
            return self.credentials.header()


class AsyncTransport(_Shared):
    def __init__(self, client: httpx.AsyncClient, *args: Any) -> None:
        super().__init__(*args)
        self.client = client
        self._asking = asyncio.Lock()

    async def repeat(
        self,
        call: Call,
        prepared: Prepared,
        options: RequestOptions,
        work: Callable[[Dict[str, Any]], Awaitable[T]],
    ) -> T:
        """Does `work` with what httpx takes, until it succeeds or must not be tried again."""
        key = _key_of(call, options)
        attempts = self.attempts(call, prepared, options)
        while True:
            # Asking for a token has its own repetitions.
            credential = await self._credential(call)
            try:
                headers = self.headers(call, options, key, credential)
                return await work(_arguments_of(prepared, headers, options.get("timeout", self.timeout)))
            except httpx.HTTPError as failure:
                error = broken(failure)
            except CairnError as refused:
                error = refused
            await asyncio.sleep(attempts.pause_after(error))

    async def response(
        self,
        call: Call,
        given: Mapping[str, Any],
        options: Optional[RequestOptions] = None,
        file: Optional[FileInput] = None,
    ) -> httpx.Response:
        prepared = prepare(call, given, file)

        async def work(arguments: Dict[str, Any]) -> httpx.Response:
            response = await self.client.request(prepared.method, self.base_url + prepared.path, **arguments)
            if not response.is_success:
                raise problem_of(response)
            return response

        return await self.repeat(call, prepared, options or {}, work)

    async def json(
        self,
        call: Call,
        given: Mapping[str, Any],
        options: Optional[RequestOptions] = None,
        file: Optional[FileInput] = None,
    ) -> Any:
        response = await self.response(call, given, options, file)
        return content_of(response)

    async def _credential(self, call: Call) -> Dict[str, str]:
        if "oauth" in call.marks:
            return {}
        # One token is asked for by all tasks that need it.
        async with self._asking:
            form = self.credentials.token_request()
            if form is not None:
                self.credentials.keep_token(await self.json(TOKEN_CALL, form))
            return self.credentials.header()


