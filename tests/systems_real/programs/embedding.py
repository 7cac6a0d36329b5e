"""A deterministic embedder: words hashed into a vector. No model, no network."""
# mypy: ignore-errors

import re
from hashlib import blake2b
from math import sqrt

DIMENSIONS = 384
COMMON = frozenset(
    re.findall(
        r"\w+",
        "a about an and are as at be but by can did do does for from has have how i in is it me"
        " my no not of on or our so that the their them they this to was we were what when where"
        " which who will with would you your",
    )
)


def embed(text):
    """Give the unit vector of a text's words."""
    vector = [0.0] * DIMENSIONS
    for word in re.findall(r"\w+", text.lower()):
        if word not in COMMON:
            digest = blake2b(word.encode(), digest_size=8).digest()
            vector[int.from_bytes(digest) % DIMENSIONS] += 1.0
    length = sqrt(sum(value * value for value in vector)) or 1.0
    return [value / length for value in vector]


def title_of(content, slug):
    """Give a page's title."""
    found = re.search(r"^title: *(.+)$", content, re.MULTILINE)
    return found[1].strip(" '\"") if found else slug


def names_of(content, slug):
    """Give what a page is found by: its title and aliases."""
    aliases = re.search(r"^aliases: *\[?(.*?)\]?$", content, re.MULTILINE)
    return f"{title_of(content, slug)} {aliases[1] if aliases else ''}"
