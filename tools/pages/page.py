# SPDX-License-Identifier: LGPL-2.1-or-later
"""A page of the reference, in Markdown."""
from . import elements, encoders

NOTICE = '<!-- tools/reference writes this page. Its own texts are in tools/reference.d. -->\n'
SINCE = '0.2.0'         # the first release
RANGES = {'gboolean': 'true, false', 'guint': '0 to 2^32-1', 'guint64': '0 to 2^64-1',
          'gint64': '-2^63 to 2^63-1'}


def table(head, rows):
    def line(cells):
        return '| ' + ' | '.join(str(cell).replace('|', '\\|') for cell in cells) + ' |'
    return '\n'.join([line(head), '|' + '---|' * len(head)] + [line(row) for row in rows]) + '\n'


def pads(rows):
    body = [(f'`{r["name"]}`', r['direction'], r['presence'],
             ', '.join(f'`{c}`' for c in r['caps'].split(', '))) for r in rows]
    return '## Pads\n\n' + (table(('pad', 'direction', 'presence', 'media type'), body)
                            if body else 'It has none.\n')


def properties(rows, title='## Properties'):
    if not rows:
        return f'{title}\n\nIt has none of its own.\n'
    body = [(f'`{r["name"]}`', r['text'], r['unit'], r['range'], r['default'],
             ', '.join(w for w in (f'`{r["type"]}`', r['access']) if w)) for r in rows]
    return f'{title}\n\n' + table(('property', 'what', 'unit', 'range', 'default', 'type, access'),
                                   body)


def signals(name, rows, texts):
    if not rows:
        return ''
    body = [(f'`{r["name"]}`' + (' (action)' if r['action'] else ''), r['arguments'] or 'none',
             r['returns'] or 'nothing', texts.signal(name, r['name'])) for r in rows]
    return '## Signals\n\n' + table(('signal', 'arguments', 'returns', 'what'), body)


def messages(name, texts):
    """The messages that messages.toml says this element posts."""
    parts = []
    for message, row in sorted(texts.messages.items()):
        if name not in row.get('elements', []):
            continue
        fields = [(f'`{f}`', f'`{v[0]}`', v[1], v[2], v[3]) for f, v in row['fields'].items()]
        parts.append(f'### {message}\n\n{row["text"]}\n\n'
                     + table(('field', 'type', 'unit', 'range', 'what'), fields))
    return '## Messages\n\n' + '\n'.join(parts) if parts else ''


def range_of(kind, unit, text):
    if text:
        return text
    if kind == 'guint64' and unit == 'ns':
        return '0 to 2^64-2; 2^64-1: not known'
    if kind == 'gdouble':
        return 'any'
    return RANGES.get(kind, 'text' if kind == 'gchararray' else '')


def inner_link(owner):
    if owner == 'rtpsession':
        return ('The statistics of [rtpsession](https://gstreamer.freedesktop.org/documentation/'
                'rtpmanager/rtpsession.html), which GStreamer describes.')
    links = ' or '.join(f'[{one}]({one}.md#statistics)' for one in sorted(owner.split()))
    return f'The statistics of {links}.'


def statistics(name, seen, texts, variants):
    """One table for each structure: that of the element, of a pad, and those inside them."""
    if not seen:
        return ''
    parts = ['## Statistics\n\nThe property `stats` is a GstStructure with these fields.\n']
    for path in sorted(seen):
        if path == 'pad':
            parts.append("### A pad's `stats`\n")
        elif path:
            parts.append(f'### In `{path}`\n')
        rows = seen[path]
        if '@' in rows:
            parts.append(inner_link(rows['@'][0]) + '\n')
            continue
        body = []
        for field, (kind, only) in sorted(rows.items()):
            text = texts.statistic(name, field)
            said = text['text']
            if only and set(only) != variants:
                said += ' Only with ' + ', '.join(f'`{v}`' for v in sorted(only)) + '.'
            body.append((f'`{field}`', said, text['unit'],
                         range_of(kind, text['unit'], text['range']), f'`{kind}`'))
        if body:
            parts.append(table(('statistic', 'what', 'unit', 'range', 'type'), body))
    return '\n'.join(parts)


def encoder_table():
    body = [(f'`{name}…`' if name.endswith('-') else f'`{name}`', f'`{prop}`',
             {1: 'bit/s', 1000: 'kbit/s'}[unit], 'no' if note is None else 'yes', note or '')
            for name, prop, unit, note in encoders.rows()]
    return encoders.TEXT + table(('encoder', 'property', 'unit', 'tried', 'what it needs, how it follows'),
                                 body) + encoders.MORE


def element(name, factory, seen, texts):
    gtype = factory.create(None).__gtype__
    text = texts.element(name)
    rows = elements.properties(gtype)
    pad_rows = elements.pads(factory)
    pad_types = {r['gtype'] for r in pad_rows if r['gtype'].name not in ('void', 'GstPad')}
    of_pads = {kind: elements.properties(kind) for kind in pad_types}
    for row in [*rows, *(row for some in of_pads.values() for row in some)]:
        has_text = len(row['text'].split()) > 1
        texts.count('properties', has_text)
        if not has_text:
            texts.missing.append(f'the property {name}::{row["name"]} has no text')
    variants = {v for place in seen.values() for _, only in place.values() for v in only}
    parts = [f'# {name}\n\n{NOTICE}\n{text.get("summary", "")} Since {SINCE}, and so is all below '
             'unless its row says otherwise.\n',
             f'## When to use it\n\n{text.get("when", "").strip()}\n',
             f'## Where it stands\n\n{text.get("where", "").strip()}\n',
             pads(pad_rows), properties(rows)]
    for kind in sorted(pad_types, key=lambda t: t.name):
        parts.append(properties(of_pads[kind], '## Properties of its pads'))
    if name == 'rtpbitrateadapter':
        parts.append(encoder_table())
    parts += [signals(name, elements.signals(gtype), texts), messages(name, texts),
              statistics(name, seen, texts, variants)]
    if text.get('see'):
        parts.append('## See also\n\n' + text['see'].strip() + '\n')
    return '\n'.join(part for part in parts if part)


def index(names, texts):
    rows = [(f'[{name}]({name}.md)', texts.element(name).get('summary', '')) for name in names]
    return (f'# Elements\n\n{NOTICE}\nOne page for each. '
            'Bitrates count RTP headers, not UDP and IP. Times are nanoseconds unless a row says '
            'otherwise.\n\n' + table(('element', 'what it does'), rows))
