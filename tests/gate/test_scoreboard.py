"""The scoreboard: one table a result, one footnote where a row needs it."""

from __future__ import annotations

from dataclasses import replace

from tests.report.accounts import baseline, result

from brainbench_gate.scoreboard import CONTRACT_FOOTNOTE, render_scoreboard


def test_contract_rows_have_one_footnote() -> None:
    """Once below the table, however many such rows there are."""
    run = result()
    assert 1 == render_scoreboard(run).count(CONTRACT_FOOTNOTE)
    production = [cell for cell in run.cells if cell.seam == "production"]
    assert CONTRACT_FOOTNOTE not in render_scoreboard(replace(run, cells=tuple(production)))


def test_the_second_benchmark_replays_no_harness() -> None:
    """Its rows have short names too, and no footnote about injection shapes."""
    cell = replace(
        result().cells[0],
        suite="temporal",
        harness="keyword",
        seam="contract",
        metrics={"temporal_order_score": 0.5, "exact_match": 1, "own_metric": 2},
    )
    text = render_scoreboard(replace(result(), cells=(cell,)))
    assert CONTRACT_FOOTNOTE not in text
    assert "exact 1 · in order 0.5 · own_metric 2" in text


def test_a_change_is_shown_against_main() -> None:
    """Signed, and only where there is one."""
    text = render_scoreboard(result(), baseline())
    assert "recall 0.9231 (−0.0769)" in text
    assert "precision 1 ·" in text
