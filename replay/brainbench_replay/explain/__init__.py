"""Why an item failed: what each stage of memory and seam decided, read back to the cause."""
