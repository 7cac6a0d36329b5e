"""The verdict as Markdown. Pure."""
