"""mem0 as a memory, without its model: `infer=False`, a local vector store, a dummy key."""
# mypy: ignore-errors
# ruff: noqa: ARG002, RUF012

import logging
import os
import tempfile

os.environ["MEM0_TELEMETRY"] = "False"
os.environ["MEM0_DIR"] = tempfile.mkdtemp()

from importlib.metadata import version

import mem0
from embedding import DIMENSIONS, embed, names_of, title_of

logging.disable(logging.WARNING)
LEAST = 0.3


class Embedder:
    """Stands in for the hosted embedder that the dummy key would ask."""

    def embed(self, text, memory_action=None):
        return embed(text)

    def embed_batch(self, texts, memory_action=None):
        return [embed(text) for text in texts]


class Memory:
    name = "mem0"
    version = version("mem0ai")
    capabilities = ["know-to-ask", "push", "write-back", "continuity", "sources"]
    details = {
        "backend": "qdrant, local",
        "embedder": "hashed words",
        "infer": False,
        "least_score": LEAST,
    }

    def __init__(self):
        store = {
            "path": f"{os.environ['MEM0_DIR']}/qdrant",
            "embedding_model_dims": DIMENSIONS,
        }
        openai = {"provider": "openai", "config": {"api_key": "dummy"}}
        self.mem0 = mem0.Memory.from_config(
            {
                "vector_store": {"provider": "qdrant", "config": store},
                "embedder": openai,
                "llm": openai,
                "history_db_path": f"{os.environ['MEM0_DIR']}/history.db",
            }
        )
        self.mem0.embedding_model = Embedder()
        self.users = set()

    def reset(self, sources):
        for user in self.users:
            self.mem0.delete_all(user_id=user)
        self.users = set()
        self.written = 0

    def seed(self, pages, facts):
        for page in pages:
            title = title_of(page["content"], page["slug"])
            user = f"pages-{page['source_id']}"
            self._add(names_of(page["content"], page["slug"]), user, slug=page["slug"], title=title)
        for fact in facts:
            self._add_fact(fact)

    def _add(self, text, user, **metadata):
        self.users.add(user)
        self.written += 1
        self.mem0.add(text, user_id=user, metadata={"n": self.written, **metadata}, infer=False)

    def _add_fact(self, fact):
        kept = {key: value for key, value in fact.items() if value is not None and key != "fact"}
        self._add(fact["fact"], "facts", **{f"of_{key}": value for key, value in kept.items()})

    def inject(self, prompt, source_id, session_id):
        found = self.mem0.search(
            prompt, filters={"user_id": f"pages-{source_id}"}, top_k=10, threshold=LEAST
        )["results"]
        hits = [(hit["score"], hit["metadata"]["slug"], hit["metadata"]["title"]) for hit in found]
        for _, slug, title in sorted(hits, key=lambda hit: (-round(hit[0], 6), hit[1])):
            yield slug, f"- {title} (`{slug}`)"

    def write_back(self, conversation, extract):
        slug, messages = conversation["slug"], conversation["messages"]
        for item in self._list_facts():
            if item["metadata"].get("of_source_markdown_slug") == slug:
                self.mem0.delete(item["id"])
        text = "\n".join(f"{message['speaker']}: {message['text']}" for message in messages)
        for fact in extract(text):
            self._add_fact(
                {
                    "fact": fact["fact"],
                    "entity_slug": fact["entity_slug"],
                    "source": "conversation",
                    "source_session": f"conversation:{slug}",
                    "source_markdown_slug": slug,
                    "source_id": conversation["source_id"],
                    "valid_from": messages[-1]["timestamp"],
                }
            )

    def _list_facts(self):
        found = self.mem0.get_all(filters={"user_id": "facts"}, top_k=9_999)["results"]
        return sorted(found, key=lambda item: item["metadata"]["n"])

    def facts(self):
        for item in self._list_facts():
            origin = {
                key.removeprefix("of_"): value
                for key, value in item["metadata"].items()
                if key.startswith("of_")
            }
            yield {"fact": item["memory"], **origin}


def make():
    return Memory()
