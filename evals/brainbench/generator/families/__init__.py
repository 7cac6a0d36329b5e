"""One module per family of fixtures; each offers `build(troupe, seed)`."""
