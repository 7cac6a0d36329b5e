"""Gives the scenarios of this folder their worlds."""

from __future__ import annotations

from tests.action import worlds

template, make_world, world = worlds.template, worlds.make_world, worlds.world
