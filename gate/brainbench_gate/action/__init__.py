"""The action's own side: what runs in a workflow, and what is told to GitHub."""
