"""One module per family of fixtures; each offers `build(company, seed)`."""
