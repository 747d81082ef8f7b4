"""When a call is tried again, and after how long."""

from __future__ import annotations

import random
from typing import Any, Callable, Dict, Optional

import httpx

from ._errors import APIConnectionError, APITimeoutError, CairnError, error_of

TIMEOUT = 60.0
MAX_RETRIES = 2
_FIRST_PAUSE = 0.5
_LONGEST_PAUSE = 8.0
_RETRY_AFTER_MAX = 60.0
_LATER = frozenset({408, 500, 502, 503, 504})


class Attempts:
    """Counts the attempts of one call, and says when the next one is."""

    def __init__(self, retries: int, repeatable: bool, renew: Optional[Callable[[], bool]]) -> None:
        self._left = retries
        self._repeatable = repeatable
        self._renew = renew
        self._made = 0

    def pause_after(self, error: CairnError) -> float:
        """Seconds until the next attempt; raises the error when there is none."""
        renew, self._renew = (self._renew, None) if error.status == 401 else (None, self._renew)
        if renew is not None and renew():
            return 0.0
        pause = pause_before(error, self._repeatable, self._made)
        if pause is None or self._made >= self._left:
            raise error
        self._made += 1
        return pause


def pause_before(error: CairnError, repeatable: bool, attempt: int) -> Optional[float]:
    """Seconds until the next attempt; None when there should be none."""
    refused = error.status == 429 and error.code != "quota_exceeded"
    waits = error.code == "idempotency_in_flight"
    failed = isinstance(error, APIConnectionError) or error.status in _LATER
    if not (refused or waits or (failed and repeatable)):
        return None
    if error.retry_after is not None:
        return error.retry_after if error.retry_after <= _RETRY_AFTER_MAX else None
    most: float = min(_FIRST_PAUSE * 2.0**attempt, _LONGEST_PAUSE)
    return most / 2 + random.random() * most / 2


def problem_of(response: httpx.Response) -> CairnError:
    """The error of a response whose body has been read."""
    problem: Dict[str, Any] = {}
    try:
        value = response.json()
        if isinstance(value, dict):
            problem = value
    except ValueError:
        pass  # A proxy answered: there is the status alone.
    problem.setdefault("request_id", response.headers.get("x-request-id"))
    try:
        retry_after: Optional[float] = float(response.headers["retry-after"])
    except (KeyError, ValueError):
        retry_after = None
    return error_of({**problem, "status": response.status_code}, retry_after)


def content_of(response: httpx.Response) -> Any:
    """The JSON of an answer."""
    try:
        return response.json() if response.content else None
    except ValueError:
        raise APIConnectionError(f"The answer is not JSON: {response.text[:100]!r}") from None


def broken(error: httpx.HTTPError) -> CairnError:
    """What httpx raises, as an error of this package."""
    failure = (
        APITimeoutError("There was no answer in time.")
        if isinstance(error, httpx.TimeoutException)
        else APIConnectionError(f"There was no answer: {error or type(error).__name__}")
    )
    failure.__cause__ = error
    return failure
