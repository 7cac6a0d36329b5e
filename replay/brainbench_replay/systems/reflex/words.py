"""Capitalised words that are no names: function words always, everyday words where they open."""


def _words_of(text: str) -> frozenset[str]:
    return frozenset(text.split())


FUNCTION_WORDS = _words_of("""
    'll 'tis 'twas 've also am an and are as at be been being but by can could did do does
    for from had has have he hello her hers hey hi him his how i'll i'm i've if in into is
    it just let lets may maybe me might mine must my no of oh ok okay on or our ours over
    please shall she should so sure than thank thanks that the their theirs them then these
    they they're this those to up us v. was we we're well were what when where which who
    whom whose why will with would yes you you're your yours
""")

EVERYDAY_WORDS = _words_of("""
    afternoon all any anything april august bad call december evening every february first
    friday good great here january july june last later march meeting monday month morning
    new next nice note november now october old one saturday september some something soon
    sunday task there thing three thursday today tomorrow tonight tuesday two wednesday week
    year yesterday
""")
