"""Memory systems: the protocol, the built-in one, and the ways in for any other."""
