# SPDX-License-Identifier: LGPL-2.1-or-later
"""The encoders that rtpbitrateadapter knows, from the table in its source."""
import pathlib
import re

SOURCE = pathlib.Path(__file__).resolve().parents[2] / 'gst/rtpcc/adapter/encoders.c'
ROW = re.compile(r'^  \{"([\w-]+)", "([\w.-]+)", (\d+), (?:NULL|"[\w-]+"), (NULL|(?:"[^"]*"\s*)+)\}',
                 re.M)
TEXT = '''## Encoders

It knows these. Those that were not tried need a constant bitrate mode where they have several.

'''
MORE = '''
Another encoder is named by `bitrate-property` and `bitrate-unit`, or in a file that the environment
variable `GST_RTP_CC_ENCODERS` names. The file is read by each of our elements that looks for an
encoder, also inside `rtpccbin` and `rtpccsink`. Its rows come before those of the table:

```ini
[myh264enc]
property=bitrate
unit=1000
```

`unit` is bit/s per unit of the property, 1 where it is left away. A property may be a field of a
structure, as `extra-controls.video_bitrate`. `vbv-property` names that of a VBV in ms.
'''


def rows():
    """(factory, property, unit, note); None: it was not tried."""
    table = SOURCE.read_text(encoding='utf-8').partition('encoders[] = {')[2].partition('\n};')[0]
    found = [(name, prop, int(unit), None if note == 'NULL' else ''.join(
        re.findall(r'"([^"]*)"', note))) for name, prop, unit, note in ROW.findall(table)]
    if len(found) != len(re.findall(r'^  \{"', table, re.M)):
        raise SystemExit(f'tools/reference: a row of {SOURCE.name} is not understood')
    return found
