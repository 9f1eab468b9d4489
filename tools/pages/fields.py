# SPDX-License-Identifier: LGPL-2.1-or-later
"""What the C files say of statistics and messages: the units in the field tables, and names."""
import re

# RCC_FIELD (Type, member, "name", RCC_U32, "unit"), and the macros that stand for it.
ROW = re.compile(r'"([a-z][a-z0-9-]*)",\s*RCC_(?:U32|U64|I64|DOUBLE|TIME|BOOL|STRING),\s*"([^"]*)"')
LITERAL = re.compile(r'"([A-Za-z][A-Za-z0-9-]*)"')
MESSAGE = re.compile(r'gst_structure_new(?:_empty)?\s*\(\s*"(Gst\w+)"|message\s*=\s*"(Gst\w+)"')


def sources(root):
    return [path.read_text(encoding='utf-8') for path in sorted((root / 'gst').rglob('*.[ch]'))]


def units(texts):
    """{name: {unit, ...}} of all field tables."""
    found = {}
    for text in texts:
        for name, unit in ROW.findall(text):
            found.setdefault(name, set()).add(unit)
    return found


def literals(texts):
    """Every string in the sources that could be a name."""
    return {word for text in texts for word in LITERAL.findall(text)}


def messages(texts):
    """The names of the element messages that the sources make."""
    return {name for text in texts for match in MESSAGE.findall(text) for name in match if name}
