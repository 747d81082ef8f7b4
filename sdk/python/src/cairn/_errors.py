"""Every error of this package."""

from __future__ import annotations

from typing import Any, Dict, List, Mapping, Optional, Type


class CairnError(Exception):
    """Those of the API have a `status` and a `code`; `status` is 0 when there was no answer."""

    def __init__(
        self,
        message: str,
        problem: Optional[Mapping[str, Any]] = None,
        retry_after: Optional[float] = None,
    ) -> None:
        super().__init__(message)
        said: Mapping[str, Any] = problem or {}
        self.status: int = int(said.get("status", 0))
        self.code: str = _code_of(said)
        self.request_id: Optional[str] = said.get("request_id")
        self.errors: List[Dict[str, str]] = list(said.get("errors") or [])
        self.upgrade: Optional[Dict[str, Any]] = said.get("upgrade")
        self.retry_after = retry_after


def _code_of(problem: Mapping[str, Any]) -> str:
    """A proxy's or a protocol's error may be anything."""
    for said in (problem.get("code"), problem.get("error")):
        if isinstance(said, str):
            return said
    return ""


class InvalidRequestError(CairnError):
    """400, 413, 415, 422: the request is not as it should be; `errors` names the fields."""


class AuthenticationError(CairnError):
    """401: there is no credential, or it is not valid any more."""


class PlanLimitError(CairnError):
    """402: the plan or the credits are used up."""


class PermissionDeniedError(CairnError):
    """403: the credential may not do this."""


class NotFoundError(CairnError):
    """404: there is no such thing, or it is another tenant's."""


class ConflictError(CairnError):
    """409: the state does not allow it."""


class RateLimitError(CairnError):
    """429: too many requests; `retry_after` says how many seconds to wait."""


class ServerError(CairnError):
    """500 and above."""


class APIConnectionError(CairnError):
    """No answer, or one that broke off."""


class APITimeoutError(APIConnectionError):
    """No answer in time."""


_CLASSES: Dict[int, Type[CairnError]] = {
    400: InvalidRequestError,
    401: AuthenticationError,
    402: PlanLimitError,
    403: PermissionDeniedError,
    404: NotFoundError,
    409: ConflictError,
    413: InvalidRequestError,
    415: InvalidRequestError,
    422: InvalidRequestError,
    429: RateLimitError,
}


def error_of(problem: Mapping[str, Any], retry_after: Optional[float] = None) -> CairnError:
    """The error that a refused call is raised as."""
    status = int(problem.get("status", 0))
    kind = _CLASSES.get(status, ServerError if status >= 500 else CairnError)
    said = problem.get("detail") or problem.get("error_description") or problem.get("title") or f"HTTP {status}"
    request_id = problem.get("request_id")
    about = ", ".join(part for part in (_code_of(problem), request_id and f"request {request_id}") if part)
    return kind(f"{said} ({about})" if about else str(said), problem, retry_after)
