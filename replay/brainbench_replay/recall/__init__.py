"""BrainCore: is what memory holds found again? Dataset, adapters, metrics, importers."""
