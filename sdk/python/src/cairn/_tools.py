"""A memory as tools for agents: plain typed functions, which agent frameworks take as they are.

Annotations are not postponed here: frameworks read them to describe the parameters.
"""

from itertools import islice
from typing import Callable, List

from ._options import NOT_GIVEN
from .generated.resources import Resources

Tool = Callable[..., str]

_DOCUMENTS_LISTED = 50
_CHUNKS_READ = 20


def tools_of(memory: Resources, writes: bool) -> List[Tool]:
    """Functions over one memory. What they return is text for a model, with the sources that it may cite."""

    def search_memory(question: str) -> str:
        """Search the memory and answer a question from it. Returns the answer and its sources, with their ids."""
        found = memory.search.query(query=question)
        sources = [
            f"[{number}] {citation['title']} ({citation['doc_id']}): {citation['snippet']}"
            for number, citation in enumerate(found["citations"], 1)
        ]
        return "\n".join([found["answer"] or "The memory does not answer this.", *sources])

    def list_documents(containing: str = "") -> str:
        """List documents of the memory, the newest first. `containing` selects by words of the title or external id."""
        found = memory.documents.list(sort="newest", query=containing or NOT_GIVEN)
        documents = islice(found, _DOCUMENTS_LISTED)
        lines = [f"{document['doc_id']}: {document['title']}" for document in documents]
        return "\n".join(lines) or "There is no such document."

    def read_document(doc_id: str) -> str:
        """Read the beginning of a document of the memory by its id."""
        chunks = islice(memory.documents.content(doc_id), _CHUNKS_READ)
        return "\n\n".join(chunk["text"] for chunk in chunks)

    def remember(text: str, title: str = "") -> str:
        """Store a text in the memory, so that it can be found later. Returns the id of the new document."""
        added = memory.documents.add(content=text, title=title or NOT_GIVEN)
        return added["documents"][0]["doc_id"]

    reading: List[Tool] = [search_memory, list_documents, read_document]
    return [*reading, remember] if writes else reading
