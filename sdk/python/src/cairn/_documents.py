"""Waits for documents."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, Iterable, List

from .generated.types import Document

if TYPE_CHECKING:
    from ._client import AsyncCairn, Cairn

_FIRST_PAUSE = 0.1
_LONGEST_PAUSE = 2.0
_SETTLED = frozenset({"completed", "failed"})


def wait(cairn: Cairn, doc_ids: Iterable[str]) -> List[Document]:
    documents: List[Document] = []
    for doc_id in doc_ids:
        pause = _FIRST_PAUSE
        while (document := cairn.documents.get(doc_id))["status"] not in _SETTLED:
            time.sleep(pause)
            pause = min(pause * 1.5, _LONGEST_PAUSE)
        documents.append(document)
    return documents


async def wait_async(cairn: AsyncCairn, doc_ids: Iterable[str]) -> List[Document]:
    documents: List[Document] = []
    for doc_id in doc_ids:
        pause = _FIRST_PAUSE
        while (document := await cairn.documents.get(doc_id))["status"] not in _SETTLED:
            await asyncio.sleep(pause)
            pause = min(pause * 1.5, _LONGEST_PAUSE)
        documents.append(document)
    return documents
