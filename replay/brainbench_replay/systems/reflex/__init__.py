"""`reflex`: the built-in memory. Deterministic, no model, no embeddings, on PostgreSQL."""
