# SPDX-License-Identifier: LGPL-2.1-or-later
"""The texts in tools/reference.d that no introspection has."""
import collections
import pathlib
import tomllib

FOLDER = pathlib.Path(__file__).resolve().parents[1] / 'reference.d'


def load(name):
    with open(FOLDER / f'{name}.toml', 'rb') as file:
        return tomllib.load(file)


class Texts:
    def __init__(self, units):
        self.elements, self.signals = load('elements'), load('signals')
        self.messages, self.statistics = load('messages'), load('statistics')
        self.units, self.missing, self.used = units, [], set()
        # kind: names, and those of them that have a text
        self.named, self.described = collections.Counter(), collections.Counter()

    def count(self, kind, has_text):
        self.named[kind] += 1
        self.described[kind] += bool(has_text)

    def counts(self):
        """{kind: (how many have a text, how many there are)}"""
        return {kind: (self.described[kind], self.named[kind])
                for kind in ('properties', 'signals', 'messages', 'statistics')}

    def element(self, name):
        text = self.elements.get(name, {})
        for part in ('summary', 'when', 'where'):
            if not text.get(part):
                self.missing.append(f'elements.toml: [{name}] has no {part}')
        return text

    def signal(self, element, name):
        text = self.signals.get(f'{element}.{name}') or self.signals.get(name)
        self.count('signals', text)
        if not text:
            self.missing.append(f'signals.toml: {name} (of {element})')
        return text or ''

    def message(self, name):
        row = self.messages.get(name)
        self.count('messages', row)
        if not row:
            self.missing.append(f'messages.toml: [{name}]')
        return row or {}

    def statistic(self, element, name):
        """Its text, unit and range; a row of the element's own comes first."""
        for key in (f'{element}.{name}', name):
            row = self.statistics.get(key)
            if row:
                self.used.add(key)
                self.count('statistics', True)
                row = {'text': row} if isinstance(row, str) else row
                unit = row.get('unit', ', '.join(sorted(self.units.get(name, {''}))))
                return {'text': row['text'], 'unit': unit, 'range': row.get('range', '')}
        self.count('statistics', False)
        self.missing.append(f'statistics.toml: {name} (of {element})')
        return {'text': '', 'unit': '', 'range': ''}
