"""The way to names below localhost, as memories of an installation on this machine have."""

from __future__ import annotations

import httpx

LOCAL_NAMES = "all://*.localhost"
_ADDRESSES = ("127.0.0.1", "::1")


def _at(request: httpx.Request, address: str) -> httpx.Request:
    """The same request to an address: its Host header stays, and so does the name that TLS asks for."""
    return httpx.Request(
        request.method,
        request.url.copy_with(host=address),
        headers=request.headers,
        stream=request.stream,
        extensions={**request.extensions, "sni_hostname": request.url.host},
    )


class LoopbackTransport(httpx.HTTPTransport):
    """Asks no resolver (RFC 6761, 6.3): the C library knows no such name on most Linux systems."""

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        try:
            return super().handle_request(_at(request, _ADDRESSES[0]))
        except httpx.ConnectError:
            return super().handle_request(_at(request, _ADDRESSES[1]))


class AsyncLoopbackTransport(httpx.AsyncHTTPTransport):
    """The same for asyncio."""

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        try:
            return await super().handle_async_request(_at(request, _ADDRESSES[0]))
        except httpx.ConnectError:
            return await super().handle_async_request(_at(request, _ADDRESSES[1]))
