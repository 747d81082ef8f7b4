"""The Python clients against a server that does what the test says."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import hmac
import json
import socket
import threading
import time
import unittest
import unittest.mock
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Callable, Dict, List, Optional

from cairn import (
    APIConnectionError,
    APITimeoutError,
    AsyncCairn,
    Cairn,
    CairnError,
    InvalidRequestError,
    WebhookVerificationError,
    verify_webhook,
)

Behaviour = Callable[["Handler"], None]


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    behaviours: List[Behaviour] = []
    seen: List[Dict[str, Any]] = []

    def _answer(self) -> None:
        body = self.rfile.read(int(self.headers.get("content-length") or 0)).decode()
        said = {name.lower(): value for name, value in self.headers.items()}
        Handler.seen.append({"method": self.command, "path": self.path, "headers": said, "body": body})
        behaviours = Handler.behaviours
        (behaviours.pop(0) if len(behaviours) > 1 else behaviours[0])(self)

    do_GET = do_POST = do_DELETE = do_PATCH = do_PUT = _answer

    def log_message(self, *_args: Any) -> None:
        pass


def answer(value: Any, status: int = 200, headers: Optional[Dict[str, str]] = None) -> Behaviour:
    def work(handler: Handler) -> None:
        body = value if isinstance(value, bytes) else json.dumps(value).encode()
        handler.send_response(status)
        for name, text in {"content-length": str(len(body)), **(headers or {})}.items():
            handler.send_header(name, text)
        handler.end_headers()
        handler.wfile.write(body)

    return work


def problem(status: int, code: str, retry_after: str = "0") -> Behaviour:
    said = {"status": status, "code": code, "detail": "said by the test", "request_id": "r"}
    return answer(said, status, {"retry-after": retry_after})


def reset(handler: Handler) -> None:
    handler.close_connection = True


def silent(handler: Handler) -> None:
    time.sleep(1)
    handler.close_connection = True


def events(*list_of: Dict[str, Any]) -> Behaviour:
    text = "".join(f"event: {one['type']}\ndata: {json.dumps(one['data'], ensure_ascii=False)}\n\n" for one in list_of)
    return answer(text.encode(), headers={"content-type": "text/event-stream"})


class ClientTest(unittest.TestCase):
    server: ThreadingHTTPServer
    base_url: str
    cairn: Cairn

    @classmethod
    def setUpClass(cls) -> None:
        cls.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=cls.server.serve_forever, daemon=True).start()
        cls.base_url = f"http://127.0.0.1:{cls.server.server_address[1]}"
        cls.cairn = Cairn(base_url=cls.base_url, api_key="ck_test_1")

    @classmethod
    def tearDownClass(cls) -> None:
        cls.cairn.close()
        cls.server.shutdown()
        cls.server.server_close()

    def behave(self, *behaviours: Behaviour) -> None:
        Handler.behaviours = list(behaviours)
        Handler.seen = []

    def test_a_repetition_has_the_key_of_the_first_attempt(self) -> None:
        for failure in (reset, problem(503, "unavailable"), problem(409, "idempotency_in_flight")):
            self.behave(failure, answer({"documents": []}, 202))
            self.assertEqual(self.cairn.documents.add(content="x"), {"documents": []})
            self.assertEqual(len(Handler.seen), 2)
            self.assertEqual(len({one["headers"]["idempotency-key"] for one in Handler.seen}), 1)

    def test_a_memory_of_this_machine_is_reached_by_a_name_that_no_resolver_knows(self) -> None:
        base_url = self.base_url.replace("127.0.0.1", "m-1.localhost")
        host = base_url.split("//")[1]

        def unknown(*_args: Any, **_options: Any) -> Any:
            raise socket.gaierror(socket.EAI_NONAME, "no such name")

        real = socket.getaddrinfo

        def resolve(name: Any, *args: Any, **options: Any) -> Any:
            known = name in (b"127.0.0.1", "127.0.0.1", None)
            return (real if known else unknown)(name, *args, **options)

        async def asynchronously() -> None:
            async with AsyncCairn(base_url=base_url, api_key="mk_1") as cairn:
                await cairn.search.query(query="q")

        with unittest.mock.patch("socket.getaddrinfo", resolve):
            self.behave(answer({"answer": "yes"}))
            with Cairn(base_url=base_url, api_key="mk_1") as cairn:
                cairn.search.query(query="q")
            asyncio.run(asynchronously())
        self.assertEqual([one["headers"]["host"] for one in Handler.seen], [host, host])

    def test_a_search_in_a_thread_and_a_tool_are_not_repeated(self) -> None:
        self.behave(reset)
        with self.assertRaises(APIConnectionError):
            self.cairn.search.query(query="q", thread_id="thr_1")
        with self.assertRaises(APIConnectionError):
            self.cairn.spaces.mcp("spc_1", {"jsonrpc": "2.0"})
        self.assertEqual(len(Handler.seen), 2)

    def test_an_error_has_its_fields(self) -> None:
        errors = [{"path": "query", "message": "is missing"}]
        self.behave(answer({"code": "validation_failed", "detail": "no", "errors": errors, "request_id": "r"}, 422))
        with self.assertRaises(InvalidRequestError) as caught:
            self.cairn.search.query(query="")
        self.assertEqual((caught.exception.status, caught.exception.errors), (422, errors))
        self.assertEqual(str(caught.exception), "no (validation_failed, request r)")

    def test_what_is_not_an_answer_of_the_api_is_an_error_of_this_package(self) -> None:
        odd = {"error": {"code": 503, "message": "no backend"}, "errors": None}
        for behaviour in (
            answer(b"", 308, {"location": "https://example.org/"}),
            answer(odd, 404),
            answer(b"<h1>Not found</h1>", 404),
            answer(b"<h1>Welcome</h1>"),
        ):
            self.behave(behaviour)
            with self.assertRaises(CairnError):
                self.cairn.documents.delete("doc_1", options={"max_retries": 0})

    def test_an_id_that_would_name_something_else_is_refused(self) -> None:
        self.behave(answer({}))
        for wrong in ("", ".", ".."):
            with self.assertRaises(TypeError):
                self.cairn.spaces.members.delete("spc_1", wrong)
        self.assertEqual(Handler.seen, [])

    def test_all_rows_of_all_pages(self) -> None:
        pages = (
            answer({"documents": [{"doc_id": "1"}], "next_cursor": "1"}),
            answer({"documents": [{"doc_id": "2"}]}),
        )
        self.behave(*pages)
        self.assertEqual([one["doc_id"] for one in self.cairn.documents.list()], ["1", "2"])
        self.assertEqual(Handler.seen[1]["path"], "/api/v1/memory/documents?cursor=1")
        numbered = [answer({"success": True, "data": [{"row_id": row}], "total": 2}) for row in (1, 2)]
        self.behave(*numbered)
        self.assertEqual([one["row_id"] for one in self.cairn.lists.rows("lst_1", limit=1)], [1, 2])

    def test_a_stream_has_whatever_text_its_events_have(self) -> None:
        text = "a\u2028b\u0085c 工"
        self.behave(events({"type": "token", "data": {"text": text}}, {"type": "done", "data": {"answer": text}}))
        told = list(self.cairn.search.stream(query="q"))
        self.assertEqual(told, [{"type": "token", "text": text}, {"type": "done", "answer": text}])
        self.behave(events({"type": "error", "data": {"code": "unavailable", "detail": "gone"}}))
        with self.assertRaises(CairnError) as caught:
            list(self.cairn.search.stream(query="q"))
        self.assertEqual(caught.exception.code, "unavailable")

    def test_silence_ends_at_the_time_limit(self) -> None:
        for call in (lambda options: self.cairn.documents.get("doc_1", options=options),
                     lambda options: list(self.cairn.search.stream(query="q", options=options))):
            self.behave(silent)
            with self.assertRaises(APITimeoutError):
                call({"timeout": 0.2, "max_retries": 0})

    def test_a_run_is_followed_across_connections_without_gap_or_repeat(self) -> None:
        def event(seq: int, kind: str = "run.progress") -> Dict[str, Any]:
            return {"type": kind, "data": {"seq": seq, "type": kind, "data": {}}}

        self.behave(
            events(event(1), event(2)),
            problem(503, "unavailable"),
            events(event(1), event(2), event(3)),
            events(event(4, "run.completed")),
        )
        self.assertEqual([one["seq"] for one in self.cairn.follow_run("thr_1")], [1, 2, 3, 4])

    def test_one_token_serves_many_calls_and_is_not_asked_for_too_often(self) -> None:
        machine = Cairn(base_url=self.base_url, client_id="oc_1", client_secret="ocs_1")
        self.behave(answer({"access_token": "ot_1"}), answer({"documents": []}))
        machine.documents.list().first()
        machine.documents.list().first()
        paths = [one["path"] for one in Handler.seen]
        self.assertEqual(paths, ["/oauth/token", "/api/v1/memory/documents", "/api/v1/memory/documents"])
        self.assertEqual(Handler.seen[2]["headers"]["authorization"], "Bearer ot_1")
        another = Cairn(base_url=self.base_url, client_id="oc_1", client_secret="ocs_1")
        self.behave(problem(503, "unavailable"))
        with self.assertRaises(CairnError):
            another.documents.list().first()
        self.assertEqual(len(Handler.seen), 3)

    def test_events_come_without_gap_or_repeat_when_the_connection_ends(self) -> None:
        def at(position: int, kind: str = "memory.entity.created") -> Dict[str, Any]:
            return {"type": kind, "data": {"position": position}}

        self.behave(
            events(at(7, "stream.position"), at(8)),
            problem(503, "unavailable"),
            events(at(8, "stream.position"), at(8), at(11)),
        )
        followed = self.cairn.follow_events(types="memory.entity.created")
        self.assertEqual([next(followed)["position"] for _ in range(2)], [8, 11])
        self.assertNotIn("last_event_id", Handler.seen[0]["path"])
        self.assertIn("last_event_id=8", Handler.seen[-1]["path"])

    def test_asyncio(self) -> None:
        async def work() -> None:
            async with AsyncCairn(base_url=self.base_url, api_key="ck_1") as cairn:
                self.behave(reset, answer({"documents": [{"doc_id": "1"}]}))
                self.assertEqual((await cairn.documents.list())["documents"], [{"doc_id": "1"}])
                self.behave(answer({"documents": [{"doc_id": "1"}]}))
                self.assertEqual([one["doc_id"] async for one in cairn.documents.list()], ["1"])
                self.behave(events({"type": "done", "data": {"answer": "yes"}}))
                told = [one async for one in cairn.search.stream(query="q")]
                self.assertEqual(told, [{"type": "done", "answer": "yes"}])

        asyncio.run(work())

    def tool(self, name: str, writes: bool = False) -> Callable[..., str]:
        found = {one.__name__: one for one in self.cairn.tools("mem_1", writes=writes)}
        return found[name]

    def test_tools_say_what_they_do_and_take_to_whoever_reads_them(self) -> None:
        names = [one.__name__ for one in self.cairn.tools("mem_1")]
        self.assertEqual(names, ["search_memory", "list_documents", "read_document"])
        for one in self.cairn.tools("mem_1", writes=True):
            self.assertTrue(one.__doc__)
            hints = one.__annotations__
            self.assertIs(hints.pop("return"), str)
            self.assertTrue(hints and all(kind is str for kind in hints.values()))

    def test_tools_ask_the_memory_and_name_its_sources(self) -> None:
        cited = {"title": "Rota", "doc_id": "doc_1", "snippet": "Ada is on call."}
        self.behave(answer({"answer": "Ada.", "citations": [cited]}))
        self.assertEqual(self.tool("search_memory")("Who is on call?"), "Ada.\n[1] Rota (doc_1): Ada is on call.")
        self.assertEqual(json.loads(Handler.seen[-1]["body"]), {"query": "Who is on call?", "memory_id": "mem_1"})
        self.behave(answer({"answer": "", "citations": []}))
        self.assertEqual(self.tool("search_memory")("Who?"), "The memory does not answer this.")

    def test_tools_list_read_and_remember(self) -> None:
        self.behave(answer({"documents": [{"doc_id": "doc_1", "title": "Rota"}]}))
        self.assertEqual(self.tool("list_documents")("rota"), "doc_1: Rota")
        self.assertIn("query=rota", Handler.seen[-1]["path"])
        self.assertEqual(self.tool("list_documents")(), "doc_1: Rota")
        self.assertNotIn("query=", Handler.seen[-1]["path"])
        self.behave(answer({"chunks": [{"text": "One."}, {"text": "Two."}]}))
        self.assertEqual(self.tool("read_document")("doc_1"), "One.\n\nTwo.")
        self.behave(answer({"documents": [{"doc_id": "doc_2"}]}, 202))
        self.assertEqual(self.tool("remember", writes=True)("Bo is on call.", "Rota"), "doc_2")
        sent = json.loads(Handler.seen[-1]["body"])
        self.assertEqual(sent, {"content": "Bo is on call.", "title": "Rota", "memory_id": "mem_1"})


class WebhookTest(unittest.TestCase):
    secret = "whsec_" + base64.b64encode(b"x" * 32).decode()
    body = b'{"event_id":"evt_1"}'

    def headers(self, secret: str, now: float = 1000) -> Dict[str, str]:
        key = base64.b64decode(secret.removeprefix("whsec_"))
        standard = hmac.new(key, f"evt_1.{int(now)}.".encode() + self.body, hashlib.sha256).digest()
        return {
            "X-Service-Signature": hmac.new(secret.encode(), self.body, hashlib.sha256).hexdigest(),
            "webhook-id": "evt_1",
            "webhook-timestamp": str(int(now)),
            "webhook-signature": "v1," + base64.b64encode(standard).decode(),
        }

    def test_a_delivery_that_was_signed_is_given_back(self) -> None:
        got = verify_webhook(self.body, self.headers(self.secret), ["whsec_b3RoZXI=", self.secret], now=1000)
        self.assertEqual(got["event_id"], "evt_1")

    def test_no_other_is(self) -> None:
        good = self.headers(self.secret)
        for body, headers, secret, now in (
            (self.body + b" ", good, self.secret, 1000),
            (self.body, good, "whsec_b3RoZXI=", 1000),
            (self.body, good, self.secret, 1301),
            (self.body, {**good, "webhook-timestamp": "1200"}, self.secret, 1000),
            (self.body, {}, self.secret, 1000),
            (self.body, self.headers(""), "", 1000),
            (self.body, self.headers("whsec_"), "whsec_", 1000),
        ):
            with self.assertRaises(WebhookVerificationError):
                verify_webhook(body, headers, secret, now=now)


if __name__ == "__main__":
    unittest.main()
