"""What each metric of the second benchmark means, in one plain sentence."""

GLOSSARY = {
    "exact_match": "Share of queries whose answer equals an expected one, case and outer spaces "
    "aside; higher is better.",
    "semantic_placeholder_score": "Mean likeness of answer and expected answer, by the named "
    "embedder or, without one, by shared words only; reported, never gated.",
    "substring_match": "Share of queries whose answer contains an expected one; easy to win "
    "with long answers, so read it beside their length; never gated.",
    "answer_chars": "Mean length of the answers in characters; reported, never gated.",
    "temporal_order_score": "Share of temporal queries for which two or more required memories "
    "came back, in order of time; higher is better.",
    "contradiction_resolution_score": "Share of contradiction queries whose first memory is the "
    "latest revision; higher is better.",
    "contradiction_returned_rate": "Share of contradiction queries for which the latest revision "
    "came back at any place; reported, never gated.",
    "flagged_rate": "Share of contradiction queries for which an outdated memory came back "
    "marked as superseded; reported, never gated.",
    "evidence_recall": "Share of the required memories that came back; higher is better.",
    "returned_memories": "Mean number of memories returned for a query; reported, never gated.",
}
