"""What is asked for memories: the built-in adapters, and a host for a user's own."""
