"""Measuring: replays a corpus through harness seams against a memory system."""
