"""One module per command: options in, effects out; everything else is elsewhere."""
