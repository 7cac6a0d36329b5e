"""What each metric means, in one plain sentence; the only place where this is said."""

GLOSSARY = {
    "know_to_ask_failure_rate": "Share of turns that needed memory where nothing useful was "
    "injected; lower is better.",
    "false_fire_rate": "Share of turns that needed no memory where something was injected all "
    "the same; lower is better.",
    "push_precision": "Share of injected pages that were right or acceptable; higher is better.",
    "push_recall": "Share of the pages that should have come which were injected; higher is "
    "better.",
    "write_back_fidelity": "Share of the facts stated in a conversation that were found in "
    "storage afterwards; higher is better.",
    "provenance_accuracy": "Share of the stored facts that name the right source, session and "
    "page; higher is better.",
    "continuity_rate": "Share of earlier decisions that came back to a reader on this harness; "
    "higher is better.",
    "source_isolation_violations": "Pages injected although they belong only to a source that "
    "was not active; must be zero.",
    "avg_injected_tokens": "Mean size of what was injected per turn, in tokens of 4 characters; "
    "reported, never gated.",
    "extraction_recall": "Share of the facts stated in a conversation that the model extracted; "
    "higher is better.",
    "extraction_precision": "Share of the facts the model extracted that were stated; higher is "
    "better.",
}
