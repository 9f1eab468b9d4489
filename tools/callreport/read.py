# SPDX-License-Identifier: LGPL-2.1-or-later
"""A call's directory into columns of numbers; the contract is in report.py."""
import csv
import dataclasses
import io
import json
import math
import pathlib
import re

from . import Refusal

IDENTICAL_DB = 60.0     # what an infinite PSNR counts as
LARGEST = 1e15          # beyond this a number is a mistake, not a measurement

SAMPLE_NUMBERS = ('time', 'capacity', 'target', 'encoder', 'sent', 'received', 'rtt', 'owd',
                  'owd-p95', 'queue', 'loss', 'offered', 'unsent', 'left', 'lost', 'late',
                  'reported-loss', 'psnr', 'frozen', 'threshold', 'estimate', 'fec', 'breaker-sent',
                  'breaker-tcp', 'breaker-limit', 'breaker-loss', 'breaker-rtt', 'audio-on-time',
                  'video-on-time', 'audio-wait', 'video-wait', 'dropped-expired',
                  'dropped-full', 'dropped-frame', 'dropped-old')
SAMPLE_TEXTS = ('state', 'usage', 'breaker')
FRAME_NUMBERS = ('time', 'frame', 'psnr-y', 'psnr', 'ssim', 'frozen', 'size')
EVENT_TEXTS = ('source', 'what', 'detail')


@dataclasses.dataclass
class Call:
    """One call.  A table is a dict: column name -> list, all of one length."""
    directory: pathlib.Path
    label: str
    info: dict
    samples: dict
    frames: dict
    events: dict

    @property
    def duration(self):
        return max(self.info['duration'], self.samples['time'][-1])

    @property
    def bin(self):
        step = self.info['profile'].get('bin')
        return step if usable(step) else 0.2

    @property
    def ceiling(self):
        """Where the source stops asking for more, in bit/s."""
        top = self.info['profile'].get('max-bitrate')
        return top if usable(top) else math.inf


def usable(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool) and 0 < value < LARGEST


def text_of(path):
    try:
        return path.read_text(encoding='utf-8-sig')
    except FileNotFoundError:
        raise Refusal(f'{path} is missing; give a directory that rtpcall --report wrote') from None
    except UnicodeDecodeError as error:
        raise Refusal(f'{path} is not UTF-8 text (byte {error.start})') from None
    except OSError as error:
        raise Refusal(f'{path} cannot be read: {error.strerror}') from None


def number(field, column, where):
    if not field.strip():
        return math.nan
    try:
        value = float(field)
    except ValueError:
        raise Refusal(f'{where}: "{field[:40]}" in column {column} is not a number') from None
    if value == math.inf and column.startswith('psnr'):
        return IDENTICAL_DB
    if not math.isfinite(value):
        return math.nan
    if abs(value) > LARGEST:
        raise Refusal(f'{where}: {field[:40]} in column {column} is out of range')
    return value


def rows(path):
    """Yields (line number, fields), the header first."""
    text = text_of(path)
    whole = text[:text.rfind('\n') + 1]     # what follows was cut off in the writing
    reader = csv.reader(io.StringIO(whole, newline=''), strict=True)
    width = 0
    try:
        for fields in reader:
            if not fields:
                continue
            width = width or len(fields)
            if len(fields) != width:
                raise Refusal(f'{path}:{reader.line_num}: {len(fields)} fields where the '
                              f'header has {width}')
            yield reader.line_num, fields
    except csv.Error as error:
        raise Refusal(f'{path}:{reader.line_num}: {error}') from None


def table(path, numbers, texts=(), ordered=True):
    columns = None
    for line, fields in rows(path):
        if columns is None:
            names = [name.strip() for name in fields]
            columns = {name: [] for name in names if name in numbers or name in texts}
            if 'time' not in columns:
                raise Refusal(f'{path}:{line}: the header has no column "time"')
            if len(set(names)) != len(names):
                raise Refusal(f'{path}:{line}: the header names a column twice')
            continue
        where = f'{path}:{line}'
        for name, field in zip(names, fields):
            if name in numbers:
                columns[name].append(number(field, name, where))
            elif name in texts:
                columns[name].append(field.strip())
        times = columns['time']
        if math.isnan(times[-1]):
            raise Refusal(f'{where}: the row has no time')
        if ordered and len(times) > 1 and times[-1] < times[-2]:
            raise Refusal(f'{where}: time goes back from {times[-2]:g} to {times[-1]:g}')
    if columns is None:
        raise Refusal(f'{path} is empty; the call ended before anything was written')
    return columns


def description(path):
    text = text_of(path)
    try:
        info = json.loads(text)
    except json.JSONDecodeError as error:
        raise Refusal(f'{path}:{error.lineno}: {error.msg}') from None
    except ValueError:
        raise Refusal(f'{path} holds a number of too many digits') from None
    except RecursionError:
        raise Refusal(f'{path} is nested too deeply') from None
    if not isinstance(info, dict):
        raise Refusal(f'{path} is not an object')
    for name, kind, default in (('command', str, None), ('duration', (int, float), None),
                                ('version', str, ''), ('started', str, ''), ('profile', dict, {}),
                                ('summary', dict, {}), ('machine', dict, {}),
                                ('about', dict, {}), ('flows', list, [])):
        value = info.setdefault(name, default)
        if value is None:
            raise Refusal(f'{path} has no "{name}"')
        if not isinstance(value, kind) or isinstance(value, bool):
            raise Refusal(f'{path}: "{name}" is of the wrong type')
    if not 0 <= info['duration'] < LARGEST:
        raise Refusal(f'{path}: "duration" is not a number of seconds')
    for name, entry in info['summary'].items():
        if not isinstance(entry, dict) or 'value' not in entry \
                or isinstance(entry['value'], (dict, list)):
            raise Refusal(f'{path}: "{name}" of the summary is not {{"value": ..., "unit": ...}}')
    for name, text in info['about'].items():
        if not isinstance(text, str):
            raise Refusal(f'{path}: "{name}" of "about" is not a text')
    return info


def optional(path, *columns):
    if not path.exists():
        return {'time': []}
    return table(path, *columns)


def happenings(path):
    """Events come from several places, each with its own delay: they are sorted here."""
    if not path.exists():
        return {'time': []}
    columns = table(path, ('time',), EVENT_TEXTS, ordered=False)
    order = sorted(range(len(columns['time'])), key=columns['time'].__getitem__)
    return {name: [values[i] for i in order] for name, values in columns.items()}


def call(directory):
    if not directory.is_dir():
        raise Refusal(f'{directory} is not a directory')
    info = description(directory / 'call.json')
    samples = table(directory / 'samples.csv', SAMPLE_NUMBERS, SAMPLE_TEXTS)
    if not samples['time']:
        raise Refusal(f'{directory / "samples.csv"} has a header but no rows; '
                      'the call ended before its first sample')
    label = info['profile'].get('name')
    return Call(directory, label if isinstance(label, str) and label else directory.resolve().name,
                info, samples, optional(directory / 'frames.csv', FRAME_NUMBERS),
                happenings(directory / 'events.csv'))


def table_alone(path):
    """A run of which there is a samples.csv and no more, as rccsim --csv writes it.  Its name is
    the file's, without a number at the end: gcc-1.csv and gcc-2.csv are two runs of gcc."""
    samples = table(path, SAMPLE_NUMBERS, SAMPLE_TEXTS)
    if not samples['time']:
        raise Refusal(f'{path} has a header but no rows')
    info = {'command': '', 'duration': 0, 'version': '', 'started': '', 'profile': {},
            'summary': {}, 'machine': {}, 'about': {}, 'flows': []}
    return Call(path.parent, re.sub(r'[-.]?\d+$', '', path.stem) or path.stem, info, samples, {'time': []}, {'time': []})


def distinguish(calls):
    """Two runs of one profile are told apart by their directories."""
    if calls[0].label == calls[1].label:
        for one in calls:
            one.label = f'{one.label} ({one.directory.resolve().name})'
    if calls[0].label == calls[1].label:
        calls[1].label += ' 2'
