"""Documents that pass between measuring and judging: their schemas, strict reading and errors."""
