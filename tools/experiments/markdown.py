# SPDX-License-Identifier: LGPL-2.1-or-later
"""The notes and tables of a page as Markdown."""
from .target import Note, Table


def row(cells):
    return '| ' + ' | '.join(cell.replace('|', '\\|') for cell in cells) + ' |'


def table(one):
    return '\n'.join((f'## {one.caption}', '', row(one.heads), row(['---'] * len(one.heads)),
                      *map(row, one.rows), ''))


def chapter(one, command):
    """@one as a document."""
    parts = [f'# {one.target.TITLE}', f'<!-- {command} writes this page. -->',
             f'{one.seeds} seeds of each case; means with their 95 % intervals.', one.target.ABOUT]
    for part in one.shown:
        if isinstance(part, Note):
            parts.append(part.text)
        elif isinstance(part, Table):
            parts.append(table(part))
    return '\n\n'.join(part.strip() for part in parts) + '\n'


def document(chapters, command):
    return '\n'.join(chapter(one, command) for one in chapters)
