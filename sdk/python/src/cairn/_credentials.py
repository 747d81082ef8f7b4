"""Keys, and tokens of OAuth clients."""

from __future__ import annotations

import time
from typing import Any, Callable, Dict, Optional, Union

from ._call import Call
from ._errors import CairnError

KeySource = Union[str, Callable[[], str]]
TOKEN_CALL = Call("POST", "/oauth/token", {}, frozenset({"oauth"}), frozenset())
_EARLY_SECONDS = 30.0
_DEFAULT_LIFETIME_SECONDS = 600.0


class Credentials:
    """A key, or the token of an OAuth client, which is renewed before it ends."""

    def __init__(self, api_key: Optional[KeySource], client_id: Optional[str], client_secret: Optional[str]) -> None:
        if client_id is None and not api_key:
            raise CairnError("Give api_key, or client_id and client_secret: there is no credential.")
        self._key = api_key
        self._form = {"grant_type": "client_credentials", "client_id": client_id, "client_secret": client_secret}
        self._token: Optional[str] = None
        self._ends_at = 0.0

    @property
    def uses_tokens(self) -> bool:
        return self._form["client_id"] is not None

    def token_request(self) -> Optional[Dict[str, Any]]:
        """The form that asks for a token, when one is needed."""
        needed = self.uses_tokens and (self._token is None or time.monotonic() >= self._ends_at)
        return dict(self._form) if needed else None

    def keep_token(self, issued: Dict[str, Any]) -> None:
        lifetime = float(issued.get("expires_in") or _DEFAULT_LIFETIME_SECONDS)
        self._token = str(issued["access_token"])
        self._ends_at = time.monotonic() + max(lifetime - _EARLY_SECONDS, lifetime / 2)

    def renew(self) -> bool:
        """After a 401: True when another credential may be had."""
        self._token = None
        return self.uses_tokens or callable(self._key)

    def header(self) -> Dict[str, str]:
        if self.uses_tokens:
            return {"authorization": f"Bearer {self._token}"}
        key = self._key() if callable(self._key) else self._key
        return {"x-api-key": str(key)}
