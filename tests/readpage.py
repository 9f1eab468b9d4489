# SPDX-License-Identifier: LGPL-2.1-or-later
"""Reads a page that a tool has written, and holds it to what such a page is."""
import html.parser

VOID = {'meta', 'link', 'br', 'hr', 'img', 'input'}
ADDRESSES = ('href', 'src', 'xlink:href', 'action', 'data', 'poster', 'srcset')


class Page(html.parser.HTMLParser):
    """Its faults are tags that do not balance, an id that is given twice, and an address of another place."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.text, self.open, self.faults = text, [], []
        self.tags = []          # (name, attributes)
        self.ids, self.rows = [], []
        self.words = {}         # tag: all the text right inside of such tags
        self.feed(text)
        self.close()
        self.faults += [f'<{tag}> is never closed' for tag in self.open]

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        self.tags.append((tag, attrs))
        if 'id' in attrs:
            if attrs['id'] in self.ids:
                self.faults.append(f'the id {attrs["id"]} is given twice')
            self.ids.append(attrs['id'])
        for name in ADDRESSES:
            if not (attrs.get(name) or '#').startswith(('#', 'data:')):
                self.faults.append(f'{name} leads to {attrs[name]}')
        if tag == 'tr':
            self.rows.append([])
        if tag in ('td', 'th') and self.rows:
            self.rows[-1].append('')
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.handle_endtag(tag)

    def handle_endtag(self, tag):
        if not self.open or self.open[-1] != tag:
            self.faults.append(f'</{tag}> at {self.getpos()} closes {self.open[-1:]}')
        else:
            self.open.pop()

    def handle_data(self, data):
        tag = self.open[-1] if self.open else ''
        self.words[tag] = self.words.get(tag, '') + data
        if self.rows and {'td', 'th'} & set(self.open):
            self.rows[-1][-1] += data

    def count(self, tag, **wanted):
        return sum(1 for t, attrs in self.tags
                   if t == tag and all(attrs.get(k) == v for k, v in wanted.items()))

    def classes(self, *tags):
        """Of each of these tags, or of all; None: it has none."""
        return [attrs.get('class') for tag, attrs in self.tags if not tags or tag in tags]
