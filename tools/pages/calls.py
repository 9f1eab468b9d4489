# SPDX-License-Identifier: LGPL-2.1-or-later
"""Short live calls, for the statistics and messages that only a call has."""
import contextlib
import random
import re
import socket
import warnings

from . import elements

SECONDS = 5
SOURCE = ('videotestsrc is-live=true ! video/x-raw,width=160,height=120,framerate=25/1 '
          '! x264enc tune=zerolatency speed-preset=ultrafast bitrate=200 key-int-max=50 ')
AUDIO = 'audiotestsrc is-live=true ! opusenc ! rtpopuspay '
ABS_SEND_TIME = ('capsfilter caps="application/x-rtp,extmap-3=(string)'
                 'http://www.webrtc.org/experiments/rtp-hdrext/abs-send-time"')
LINK = 'linksim scenario=constant:400k '
# Of GStreamer's own elements, which GStreamer documents.
SESSION = re.compile(r'application/x-rtp-(session|source)-stats')


def ports(n):
    """Free UDP ports of the loopback, an even one first.  They are below those that the kernel
    gives to sockets without a port, such as the calls' own udpsinks."""
    while True:
        first = random.randrange(10000, 32000, 2)
        with contextlib.ExitStack() as held, contextlib.suppress(OSError):
            for port in range(first, first + n):
                one = held.enter_context(socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
                one.bind(('127.0.0.1', port))
            return first


def back(source, port, sink):
    """RTCP over the loopback: a cycle of pads within one bin would be warned of."""
    return (f'{source} ! udpsink host=127.0.0.1 port={port} sync=false async=false '
            f'udpsrc address=127.0.0.1 port={port} caps=application/x-rtcp ! {sink} ')


def sender(element, feedback='remb'):
    port = ports(1)
    return (SOURCE + f'! rtpbitrateadapter ! rtph264pay ! {ABS_SEND_TIME} ! {element} name=cc '
            f'! rtpcircuitbreaker ! {LINK} ! rtpgccreceiver name=est feedback-format={feedback} '
            '! fakesink ' + back('est.rtcp_src', port, 'cc.rtcp_sink'))


def fbra(options=''):
    port = ports(1)
    return (SOURCE + f'! rtpbitrateadapter ! rtph264pay ! rtpfbrafec name=fbra {options} '
            f'! {LINK} ! rtpfbrareceiver name=rx ! fakesink '
            + back('rx.rtcp_src', port, 'fbra.rtcp_sink'))


def mux(rate_control, behind):
    port = ports(1)
    return (f'rtpsbpnmux name=mux rate-control={rate_control} ! {behind} ! {LINK} '
            '! rtpgccreceiver name=est feedback-format=ccfb ! fakesink '
            + SOURCE + '! rtpbitrateadapter ! rtph264pay ! mux. ' + AUDIO + '! mux. '
            + back('est.rtcp_src', port, 'mux.rtcp_sink'))


def bins(element):
    port = ports(2)
    return (f'{element} name=s do-retransmission=true protection=5 '
            f'{element} name=r do-retransmission=true protection=5 '
            + SOURCE + '! rtph264pay ! s.send_rtp_sink_0 '
            f's.send_rtp_src_0 ! {LINK} name=net ! r.recv_rtp_sink_0 r. ! rtph264depay ! fakesink '
            's.send_rtcp_src_0 ! net.fwd_sink_0 net.fwd_src_0 ! r.recv_rtcp_sink_0 '
            + back('r.send_rtcp_src_0', port, 's.recv_rtcp_sink_0'))


def attached():
    """Two rtpbins that rtpccattach was told of before they had pads.  What it made is kept."""
    Gst, port = elements.Gst, ports(2)
    pipeline = Gst.parse_launch('rtpbin name=s rtp-profile=avpf rtpbin name=r rtp-profile=avpf')
    pipeline.attached = []
    for end in ('s', 'r'):
        pipeline.attached.append(Gst.ElementFactory.make('rtpccattach', None))
        pipeline.attached[-1].set_property('bin', pipeline.get_by_name(end))

    def join(source, description, sink):
        part = Gst.parse_bin_from_description(description, True)
        pipeline.add(part)
        if source:
            pipeline.get_by_name(source[0]).link_pads(source[1], part, 'sink')
        if sink:
            part.link_pads('src', pipeline.get_by_name(sink[0]), sink[1])
        return part

    def show(_, pad):
        if pad.get_name().startswith('recv_rtp_src'):
            part = join(None, 'fakesink', None)
            part.sync_state_with_parent()
            pad.link(part.sinkpads[0])
    pipeline.get_by_name('r').connect('pad-added', show)
    join(None, SOURCE + '! rtph264pay', ('s', 'send_rtp_sink_0'))
    join(('s', 'send_rtp_src_0'), LINK, ('r', 'recv_rtp_sink_0'))
    for n, (source, sink) in enumerate((('s', 'r'), ('r', 's'))):
        at = f'port={port + n}'
        join((source, 'send_rtcp_src_0'),
             f'udpsink host=127.0.0.1 {at} sync=false async=false', None)
        join(None, f'udpsrc address=127.0.0.1 {at} caps=application/x-rtcp',
             (sink, 'recv_rtcp_sink_0'))
    return pipeline


def by_uri():
    port = ports(2)
    return (f'rtpccsrc uri=rtp://127.0.0.1:{port} ! decodebin ! fakesink '
            + SOURCE + f'! rtph264pay ! rtpccsink name=call uri=rtp://127.0.0.1:{port} '
            + AUDIO + '! call. ')


def scored():
    return ('videotestsrc is-live=true num-buffers=60 ! video/x-raw,format=I420,width=320,height=240 '
            '! framestamp ! tee name=t t. ! queue ! psnr.ref_sink '
            't. ! queue ! x264enc tune=zerolatency ! avdec_h264 ! psnr.dist_sink '
            'psnr name=psnr ssim=true ! fakesink')


def lines():
    """All calls.  They run at the same time, so each has ports of its own."""
    controllers = elements.property_values('rtpccsender', 'controller')
    return ([sender(f'rtpccsender controller={name}', 'ccfb') for name in controllers]
            + [sender('rtpgccsender protection=5'), sender('rtpgccsender', 'tmmbr')]
            + [fbra(), fbra('protection=5'), fbra('tuning="tuning,algorithm=cnadu"'), fbra('profile=plus')]
            + [fbra('probe-for=external').replace('! linksim', '! rtpgccsender ! linksim', 1)]
            + [mux('tfrc', 'identity'), mux('external', 'rtpgccsender')]
            + [bins('rtpccbin'), by_uri(), scored()])


def structures(structure, name, kind):
    """Those that a field has, if it is one or an array of them."""
    if kind == 'GstStructure':
        return [structure.get_value(name)]
    if kind != 'GstValueArray':
        return []
    with warnings.catch_warnings():
        warnings.simplefilter('ignore')
        array = structure.get_array(name)[1]
        return [array.get_nth(i).copy() for i in range(array.n_values)]


class Seen:
    """{element: {path: {name: [type, [variants]]}}} of statistics, and the messages' fields."""

    def __init__(self):
        self.stats, self.messages, self.owners = {}, {}, {}

    def add(self, element, structure, path='', variant=''):
        """The fields of a statistics structure, and of those inside it."""
        place = self.stats.setdefault(element, {}).setdefault(path, {})
        for i in range(structure.n_fields()):
            name = structure.nth_field_name(i)
            kind = structure.get_field_type(name).name
            key = re.sub(r'-\d\d?$', '', name)       # rtpccattach's sender, sender-1
            inner = structures(structure, name, kind)
            row = place.setdefault(key, [kind, []])
            if variant and variant not in row[1]:
                row[1].append(variant)
            for one in inner:
                self.inside(element, one, f'{path}/{key}'.strip('/'))

    def inside(self, element, structure, path):
        """A structure that another element's page describes is named, not described again."""
        name = structure.get_name()
        self.stats[element].setdefault(path, {})
        owner = self.owners.get(name)
        if SESSION.match(name):
            self.stats[element][path]['@'] = ['rtpsession', []]
        elif owner and owner != element:
            if '@' not in self.stats[element][path]:
                self.stats[element][path]['@'] = [owner, []]
            elif owner not in self.stats[element][path]['@'][0].split():
                self.stats[element][path]['@'][0] += ' ' + owner
        else:
            self.add(element, structure, path)

    def look(self, element):
        """One element's statistics now, and those of its pads."""
        kind = element.get_factory().get_name()
        if not element.find_property('stats'):
            return
        stats = element.get_property('stats')
        variant = ''
        if stats is not None and kind in ('rtpccsender', 'rtpfbrafec'):
            variant = stats.get_string('controller') or stats.get_string('algorithm') or ''
        if stats is not None:
            self.add(kind, stats, '', variant)
        for pad in element.pads:
            if pad.find_property('stats') and pad.get_property('stats'):
                self.add(kind, pad.get_property('stats'), 'pad')

    def message(self, message):
        structure = message.get_structure()
        fields = self.messages.setdefault(structure.get_name(), {})
        for i in range(structure.n_fields()):
            name = structure.nth_field_name(i)
            fields[name] = structure.get_field_type(name).name


def run(ours, seconds=SECONDS):
    """Runs all calls at once; @ours are the names of our elements."""
    Gst, seen = elements.Gst, Seen()
    pipelines = [Gst.parse_launch(line) for line in lines()] + [attached()]
    for name in ours:
        element = Gst.ElementFactory.make(name, None)
        if element.find_property('stats'):
            element.set_state(Gst.State.READY)
            seen.owners.setdefault(element.get_property('stats').get_name(), name)
            element.set_state(Gst.State.NULL)
    try:
        for pipeline in pipelines:
            pipeline.set_state(Gst.State.PLAYING)
        end = Gst.util_get_timestamp() + seconds * Gst.SECOND
        while Gst.util_get_timestamp() < end:
            for pipeline in pipelines:
                watch(pipeline, seen, ours)
        for pipeline in pipelines:
            look(pipeline, seen, ours)
    finally:                                     # a pipeline that runs at exit crashes Python
        for pipeline in pipelines:
            pipeline.set_state(Gst.State.NULL)
    for pipeline in pipelines:
        watch(pipeline, seen, ours)
    return seen


def watch(pipeline, seen, ours):
    Gst = elements.Gst
    bus = pipeline.get_bus()
    while True:
        message = bus.timed_pop(5 * Gst.MSECOND)
        if not message:
            return
        if message.type == Gst.MessageType.ERROR:
            raise SystemExit(f'tools/reference: {message.parse_error()}')
        made_by = message.src.get_factory() if isinstance(message.src, Gst.Element) else None
        if message.type == Gst.MessageType.ELEMENT and made_by and made_by.get_name() in ours:
            seen.message(message)


def look(pipeline, seen, ours):
    for element in each(pipeline) + getattr(pipeline, 'attached', []):
        factory = element.get_factory()
        if factory and factory.get_name() in ours:
            seen.look(element)


def each(pipeline):
    found = []
    iterator = pipeline.iterate_recurse()
    while True:
        result, element = iterator.next()
        if result != elements.Gst.IteratorResult.OK:
            return found
        found.append(element)
