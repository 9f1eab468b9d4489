# SPDX-License-Identifier: LGPL-2.1-or-later
"""The parts of tools/report.py: read the files, measure, draw, lay out."""


class Refusal(Exception):
    """One plain sentence for the person who ran the command."""
