# SPDX-License-Identifier: LGPL-2.1-or-later
"""Campaigns of simulated calls, for tools/reproduce."""


class Refusal(Exception):
    """One plain sentence for the person at the keyboard."""


class Absent(Refusal):
    """Data that this needs is not there; the other targets go on without it."""
