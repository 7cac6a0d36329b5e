"""LangGraph's InMemoryStore as a memory: one namespace a source, vector search over names."""
# mypy: ignore-errors
# ruff: noqa: ARG002, RUF012

from importlib.metadata import version

from embedding import DIMENSIONS, embed, names_of, title_of
from langgraph.store.memory import InMemoryStore

LEAST = 0.3


def embed_all(texts):
    return [embed(text) for text in texts]


class Memory:
    name = "langgraph InMemoryStore"
    version = version("langgraph")
    capabilities = ["know-to-ask", "push", "write-back", "continuity", "sources"]
    details = {"embedder": "hashed words", "least_score": LEAST}

    def reset(self, sources):
        self.store = InMemoryStore(
            index={"dims": DIMENSIONS, "embed": embed_all, "fields": ["names"]}
        )
        self.written = 0

    def seed(self, pages, facts):
        for page in pages:
            title = title_of(page["content"], page["slug"])
            value = {"names": names_of(page["content"], page["slug"]), "title": title}
            self.store.put(("pages", page["source_id"]), page["slug"], value)
        for fact in facts:
            self._put(fact)

    def inject(self, prompt, source_id, session_id):
        found = self.store.search(("pages", source_id), query=prompt, limit=10)
        hits = [(item.score, item.key, item.value["title"]) for item in found]
        for score, slug, title in sorted(hits, key=lambda hit: (-round(hit[0], 6), hit[1])):
            if score >= LEAST:
                yield slug, f"- {title} (`{slug}`)"

    def write_back(self, conversation, extract):
        slug, messages = conversation["slug"], conversation["messages"]
        for item in self.store.search(("facts",), filter={"source_markdown_slug": slug}, limit=999):
            self.store.delete(item.namespace, item.key)
        text = "\n".join(f"{message['speaker']}: {message['text']}" for message in messages)
        for fact in extract(text):
            self._put(
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

    def _put(self, fact):
        self.written += 1
        self.store.put(("facts",), f"{self.written:06}", fact, index=False)

    def facts(self):
        found = self.store.search(("facts",), limit=9_999)
        return [item.value for item in sorted(found, key=lambda item: item.key)]


def make():
    return Memory()
