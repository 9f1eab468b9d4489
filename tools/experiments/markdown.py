# SPDX-License-Identifier: LGPL-2.1-or-later
"""Headlines, findings, notes and tables of a page as Markdown."""
from .target import Headline, Note, Table, Verdict
from .verdicts import tally, word


def row(cells):
    return '| ' + ' | '.join(cell.replace('|', '\\|') for cell in cells) + ' |'


def grid(heads, rows):
    return '\n'.join((row(heads), row(['---'] * len(heads)), *map(row, rows)))


def table(one):
    return f'## {one.caption}\n\n{grid(one.heads, one.rows)}\n'


def headlines(shown):
    rows = [(one.paper, one.claim, one.theirs, one.ours, word(one.good), one.why)
            for one in shown if isinstance(one, Headline)]
    return [grid(('Paper', 'What it is known for', 'Theirs', 'Ours (95 %)', 'Result', 'Why'),
                 rows)] if rows else []


def findings(shown):
    """Each sentence has its result."""
    texts = [one.text for one in shown if isinstance(one, Verdict)]
    good, of, untold = tally(shown)
    return [f'## Findings\n\n{good} of {of} that can be told are reproduced or reach their target; '
            f'{untold} cannot be told.\n\n' + '\n'.join(f'* {text}' for text in texts)
            ] if texts else []


def chapter(one, command):
    """@one as a document."""
    parts = [f'# {one.target.TITLE}', f'<!-- {command} writes this page. -->',
             f'{one.seeds} seeds of each case; means with their 95 % intervals.', one.target.ABOUT,
             *headlines(one.shown)]
    for part in one.shown:
        if isinstance(part, Note):
            parts.append(part.text)
        elif isinstance(part, Table):
            parts.append(table(part))
    if not getattr(one.target, 'TOLD_IN_TABLES', False):
        parts += findings(one.shown)
    return '\n\n'.join(part.strip() for part in parts) + '\n'


def document(chapters, command):
    return '\n'.join(chapter(one, command) for one in chapters)
