# SPDX-License-Identifier: LGPL-2.1-or-later
"""Reads the page of a campaign, and holds it to what a page is."""
import html.parser

VOID = {'meta', 'link', 'br', 'hr', 'img', 'input'}


class Page(html.parser.HTMLParser):
    """Balanced tags, unique ids, no address of another place."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.open, self.faults, self.ids, self.rows, self.tags = [], [], [], [], []
        self.feed(text)
        self.close()
        self.faults += [f'<{tag}> is never closed' for tag in self.open]

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        self.tags.append((tag, attrs.get('class')))
        self.ids += [attrs['id']] if 'id' in attrs else []
        for name in ('href', 'src'):
            if not attrs.get(name, '#').startswith(('#', 'data:')):
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
            self.faults.append(f'</{tag}> closes nothing')
        else:
            self.open.pop()

    def handle_data(self, data):
        if self.rows and {'td', 'th'} & set(self.open):
            self.rows[-1][-1] += data
