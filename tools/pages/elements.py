# SPDX-License-Identifier: LGPL-2.1-or-later
"""What GStreamer's introspection knows of our elements: pads, properties, signals."""
import os
import pathlib
import re
import tempfile

FOLDERS = ('gst/rtpcc', 'gst/link', 'gst/psnr')
PLUGINS = ('rtpcc', 'linksim', 'psnr')
# GStreamer documents what these classes have.
FOREIGN = {'GObject', 'GInitiallyUnowned', 'GstObject', 'GstElement', 'GstBin', 'GstPad',
           'GstGhostPad', 'GstProxyPad', 'GstBaseTransform', 'GstVideoFilter',
           'GstRTPHeaderExtension', 'GstAggregator', 'GstAggregatorPad'}
Gst = GObject = None


def start(build):
    """Loads GStreamer with the plugins of the build folder and no registry of the user's."""
    global Gst, GObject
    if Gst:
        return Gst
    os.environ['GST_PLUGIN_PATH_1_0'] = ':'.join(str(pathlib.Path(build, f)) for f in FOLDERS)
    registry = tempfile.mkstemp(suffix='.registry')[1]
    os.unlink(registry)
    os.environ['GST_REGISTRY'] = registry
    import gi
    gi.require_version('Gst', '1.0')
    from gi.repository import GObject, Gst
    Gst.init(None)
    if os.path.exists(registry):
        os.unlink(registry)
    return Gst


def factories():
    """Our factories, by their names."""
    found = {}
    for name in PLUGINS:
        plugin = Gst.Registry.get().find_plugin(name)
        if not plugin:
            raise SystemExit(f'tools/reference: the plugin {name} is not built: ninja -C build')
        for feature in Gst.Registry.get().get_feature_list_by_plugin(name):
            if isinstance(feature, Gst.ElementFactory):
                found[feature.get_name()] = feature.load()
    return dict(sorted(found.items()))


def number(value):
    """A number as people read it."""
    if isinstance(value, bool):
        return 'true' if value else 'false'
    if isinstance(value, float):
        return 'any' if abs(value) > 1e300 else f'{value:g}'
    if value in (2 ** 64 - 1, 2 ** 63 - 1, 2 ** 32 - 1, 2 ** 31 - 1):
        return {2 ** 64 - 1: '2^64-1', 2 ** 63 - 1: '2^63-1', 2 ** 32 - 1: '2^32-1',
                2 ** 31 - 1: '2^31-1'}[value]
    return str(value)


def split_unit(blurb):
    """A blurb's text without the unit that it has in brackets, and that unit."""
    match = re.search(r'\s*\((kbit/s|bit/s|ns|ms|us|s|B|bytes|packets|frames|dB|%|Hz)\)', blurb)
    if match:
        return blurb[:match.start()] + blurb[match.end():], match[1]
    match = re.search(r'\((kbit/s|bit/s|ns|ms|us|s|B|bytes|packets|frames|dB|%|Hz)\b[^()]*\)', blurb)
    return blurb, match[1] if match else ''


def property_row(pspec):
    kind = GObject.type_name(pspec.value_type)
    text, unit = split_unit(' '.join((pspec.blurb or '').split()))
    row = {'name': pspec.name, 'type': kind, 'text': text, 'unit': unit, 'range': '',
           'default': '', 'access': access(pspec)}
    if kind == 'GstStructure':
        row['text'], row['unit'] = ' '.join(pspec.blurb.split()), ''
    default = pspec.default_value if hasattr(pspec, 'default_value') else None
    if hasattr(default, 'value_nick'):
        values = type(default).__enum_values__.values()
        row['range'] = ', '.join(f'`{value.value_nick}`' for value in values)
        row['default'] = f'`{default.value_nick}`'
    elif kind == 'gboolean':
        row['range'], row['default'] = 'true, false', number(bool(default))
    elif hasattr(pspec, 'minimum'):
        row['range'] = f'{number(pspec.minimum)} to {number(pspec.maximum)}'
        row['default'] = number(default)
    elif default is not None:
        row['default'] = f'`{default}`' if default else 'empty'
    elif pspec.flags & GObject.ParamFlags.WRITABLE:
        row['default'] = 'none'
    return row


def access(pspec):
    flags = pspec.flags
    words = []
    if not flags & GObject.ParamFlags.WRITABLE:
        words.append('read only')
    elif not flags & GObject.ParamFlags.READABLE:
        words.append('write only')
    if flags & GObject.ParamFlags.CONSTRUCT_ONLY:
        words.append('at construction')
    # GST_PARAM_MUTABLE_READY, _PAUSED, _PLAYING of gstparamspecs.h
    for flag, word in ((1 << 10, 'in NULL or READY'), (1 << 11, 'up to PAUSED'),
                       (1 << 12, 'at any time')):
        if int(flags) & flag:
            words.append(word)
    return ', '.join(words)


def properties(gtype):
    return [property_row(p) for p in sorted(GObject.list_properties(gtype), key=lambda p: p.name)
            if p.owner_type.name not in FOREIGN]


def signals(gtype):
    """Name, arguments, answer and whether it is an action, of each signal of our classes."""
    rows, kind = [], gtype
    while kind and kind.name not in FOREIGN:
        for name in sorted(GObject.signal_list_names(kind)):
            query = GObject.signal_query(name, kind)
            rows.append({'name': name, 'action': bool(query.signal_flags & GObject.SignalFlags.ACTION),
                         'arguments': ', '.join(t.name for t in query.param_types),
                         'returns': '' if query.return_type.name == 'void' else query.return_type.name})
        kind = kind.parent
    return rows


def pads(factory):
    """Each pad template: its name, direction, presence, media types and the pads' own type."""
    rows = []
    element = factory.create(None)
    for template in sorted(element.get_pad_template_list(), key=lambda t: t.name_template):
        caps = template.get_caps()
        types = sorted({caps.get_structure(i).get_name() for i in range(caps.get_size())})
        rows.append({'name': template.name_template, 'direction': template.direction.value_nick,
                     'presence': template.presence.value_nick, 'caps': ', '.join(types) or 'any',
                     'gtype': template.props.gtype})
    return rows



def property_values(element, name):
    """What an enumeration of a property can be."""
    default = Gst.ElementFactory.make(element, None).get_property(name)
    return [value.value_nick for value in type(default).__enum_values__.values()]
