// A memory in another language: pages scored by the rarest words they share with the turn.
import { createInterface } from "node:readline";

const capabilities = ["know-to-ask", "push", "write-back", "continuity", "sources"];
const details = { node: process.versions.node.split(".")[0], ranking: "inverse document frequency" };
let pages = [];
let stored = [];

const wordsOf = (text) => new Set(text.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? []);
const field = (content, name) => new RegExp(`^${name}: *(.*)$`, "m").exec(content)?.[1] ?? "";

const methods = {
  initialize: () => ({ protocol_version: 1, name: "notes", version: "1", capabilities, details }),
  reset: () => ((pages = []), (stored = []), {}),
  seed({ pages: given, facts }) {
    for (const { slug, content, source_id } of given) {
      const title = field(content, "title").replace(/^['"]|['"]$/g, "") || slug;
      pages.push({ slug, title, source_id, words: wordsOf(`${title} ${field(content, "aliases")}`) });
    }
    stored.push(...facts);
    return { pages: given.length, facts: facts.length };
  },
  inject({ prompt, source_id }) {
    const own = pages.filter((page) => page.source_id === source_id);
    const asked = wordsOf(prompt);
    const weigh = ({ words }) => {
      let shared = 0;
      let all = 0;
      for (const word of words) {
        const weight = Math.log(1 + own.length / own.filter((page) => page.words.has(word)).length);
        all += weight;
        if (asked.has(word)) shared += weight;
      }
      return shared / all;
    };
    const hits = own.map((page) => ({ ...page, share: weigh(page) })).filter(({ share }) => share >= 0.5);
    hits.sort((a, b) => b.share - a.share || (a.slug < b.slug ? -1 : 1));
    return { pointers: hits.map(({ slug, title }) => ({ slug, title, text: `- ${title} (\`${slug}\`)` })) };
  },
  async write_back({ slug, source_id, messages }) {
    stored = stored.filter((fact) => fact.source_markdown_slug !== slug);
    const text = messages.map((message) => `${message.speaker}: ${message.text}`).join("\n");
    for (const { fact, entity_slug } of await extract(text))
      stored.push({
        fact, entity_slug, source: "conversation", source_session: `conversation:${slug}`,
        source_markdown_slug: slug, source_id, valid_from: messages.at(-1).timestamp,
      });
    return {};
  },
  facts: () => ({ facts: stored }),
  shutdown: () => ({}),
};

let answered;
const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
const extract = (text) => new Promise((resolve) => {
  answered = ({ facts }) => resolve(facts);
  send({ id: "extract", method: "extract", params: { text } });
});

createInterface({ input: process.stdin }).on("line", async (line) => {
  const { id, method, params, result } = JSON.parse(line);
  if (!method) return answered(result);
  if (!methods[method]) return send({ id, error: { code: -32601, message: `no ${method}` } });
  try {
    send({ id, result: await methods[method](params) });
  } catch (error) {
    send({ id, error: { code: -32603, message: String(error) } });
  }
});
