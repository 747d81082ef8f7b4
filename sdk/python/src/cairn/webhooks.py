"""Verifies what webhooks deliver."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import time
from typing import Any, Dict, Literal, Mapping, Optional, Sequence, TypedDict, Union, cast

VerificationFailure = Literal["signature_missing", "signature_mismatch", "timestamp_outside_tolerance", "not_json"]


class WebhookDelivery(TypedDict):
    event_id: str
    """The same at every repeat: what was seen under it before needs no second handling."""
    event: str
    occurred_at: str
    livemode: bool
    scope: Dict[str, str]
    payload: Dict[str, Any]


class WebhookVerificationError(Exception):
    """The delivery is not to be trusted: answer 401 and do nothing else."""

    def __init__(self, reason: VerificationFailure) -> None:
        super().__init__(f"the delivery could not be verified: {reason}")
        self.reason = reason


def verify_webhook(
    raw_body: Union[bytes, str],
    headers: Mapping[str, str],
    secret: Union[str, Sequence[str]],
    *,
    tolerance_seconds: Optional[float] = 300,
    now: Optional[float] = None,
) -> WebhookDelivery:
    """Gives the envelope of a delivery, or raises `WebhookVerificationError`.

    Give the old and the new secret while a rotation is under way. `tolerance_seconds=None` accepts a repeat of any age.
    """
    body = raw_body.encode() if isinstance(raw_body, str) else raw_body
    said = {name.lower(): value for name, value in headers.items()}
    # Whoever signs with nothing proves nothing.
    secrets = [one for one in ([secret] if isinstance(secret, str) else secret) if one]
    names = ("x-service-signature", "x-service-signature-next")
    signatures = [said[name] for name in names if name in said]
    if not signatures:
        raise WebhookVerificationError("signature_missing")
    digests = [hmac.new(one.encode(), body, hashlib.sha256).hexdigest() for one in secrets]
    if not any([_equal(digest, given) for digest in digests for given in signatures]):
        raise WebhookVerificationError("signature_mismatch")
    if tolerance_seconds is not None:
        _assert_recent(body, said, secrets, tolerance_seconds, time.time() if now is None else now)
    try:
        return cast(WebhookDelivery, json.loads(body))
    except ValueError:
        raise WebhookVerificationError("not_json") from None


def _assert_recent(
    body: bytes, said: Mapping[str, str], secrets: Sequence[str], tolerance_seconds: float, now: float
) -> None:
    names = ("webhook-id", "webhook-timestamp", "webhook-signature")
    if any(name not in said for name in names):
        raise WebhookVerificationError("signature_missing")
    message_id, timestamp, given = (said[name] for name in names)
    message = f"{message_id}.{timestamp}.".encode() + body
    expected = [_standard(secret, message) for secret in secrets]
    if not any([_equal(one, signature) for one in expected if one for signature in given.split(" ")]):
        raise WebhookVerificationError("signature_mismatch")
    try:
        age = abs(now - float(timestamp))
    except ValueError:
        raise WebhookVerificationError("timestamp_outside_tolerance") from None
    if not age <= tolerance_seconds:
        raise WebhookVerificationError("timestamp_outside_tolerance")


def _standard(secret: str, message: bytes) -> Optional[str]:
    try:
        key = base64.b64decode(secret.removeprefix("whsec_"))
    except binascii.Error:
        return None
    if not key:
        return None
    return "v1," + base64.b64encode(hmac.new(key, message, hashlib.sha256).digest()).decode()


def _equal(expected: str, given: str) -> bool:
    return hmac.compare_digest(expected.encode(), given.encode())
