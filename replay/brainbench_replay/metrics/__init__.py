"""One module per suite: rows → counts and unrounded rates. Pure; the formulas live only here."""
