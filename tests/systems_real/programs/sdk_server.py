"""An MCP server made with the official SDK: pages in a dictionary, found by their titles."""
# mypy: ignore-errors

from mcp.server import MCPServer

server = MCPServer("sdk pages", version="1")
pages = {}


@server.tool()
def remember(key: str, title: str, vault: str) -> str:
    """Store a page in a vault."""
    pages[vault, key] = title
    return f"stored {key}"


@server.tool()
def recall(question: str, vault: str) -> list[dict[str, str]]:
    """Find the pages of a vault whose titles a question names."""
    own = ((key, title) for (place, key), title in sorted(pages.items()) if place == vault)
    return [{"key": k, "title": t} for k, t in own if t.lower() in question.lower()]


@server.tool()
def forget() -> str:
    """Drop every page."""
    pages.clear()
    return "forgotten"


server.run("stdio")
