"""Client of Cairn: memory, search and research."""

from ._client import AsyncCairn, Cairn
from ._errors import (
    APIConnectionError,
    APITimeoutError,
    AuthenticationError,
    CairnError,
    ConflictError,
    InvalidRequestError,
    NotFoundError,
    PermissionDeniedError,
    PlanLimitError,
    RateLimitError,
    ServerError,
)
from ._options import NOT_GIVEN, RequestOptions
from .webhooks import WebhookVerificationError, verify_webhook

__all__ = [
    "APIConnectionError",
    "APITimeoutError",
    "AsyncCairn",
    "AuthenticationError",
    "Cairn",
    "CairnError",
    "ConflictError",
    "InvalidRequestError",
    "NOT_GIVEN",
    "NotFoundError",
    "PermissionDeniedError",
    "PlanLimitError",
    "RateLimitError",
    "RequestOptions",
    "ServerError",
    "WebhookVerificationError",
    "verify_webhook",
]
