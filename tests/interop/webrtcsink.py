#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""The recipe for webrtcsink in docs/webrtc.md, run against a stand-in for it: webrtcsink.py WEBRTC.MD

Debian 12 has no webrtcsink (gst-plugins-rs).  The stand-in is a bin with its signals, in its order
(net/webrtc/src/webrtcsink/imp.rs): a payloader is set up once to find out what can be offered, and
once for each consumer; `consumer-added` comes in READY, when the webrtcbin has its pads and has
negotiated nothing; the encoder stands upstream only when the answer is there.  Where
congestion-control is disabled no transport-wide numbers are offered, the encoder begins with
max-bitrate, and half of the media again is parity."""
import os
import pathlib
import re
import sys
import threading
import time

import call as c
from call import Gst, GstWebRTC, TWCC

c.gi.require_version('GstRtp', '1.0')
c.gi.require_version('GstSdp', '1.0')
from gi.repository import GObject, GstRtp, GstSdp                               # noqa: E402

Gst.init(None)                          # before a subclass of its
MAX_BITRATE = 8192000
SECONDS = 10
SOURCE = ('videotestsrc is-live=true ! video/x-raw,width=320,height=240,framerate=15/1 '
          '! x264enc name=enc tune=zerolatency speed-preset=ultrafast bitrate=2048 '
          '! video/x-h264,profile=constrained-baseline ! h264parse ! identity name=end')


class WebRTCSink(Gst.Bin):
    __gsignals__ = {
        'consumer-added': (GObject.SignalFlags.RUN_LAST, None, (str, Gst.Element)),
        'encoder-setup': (GObject.SignalFlags.RUN_LAST, bool, (str, str, Gst.Element)),
        'payloader-setup': (GObject.SignalFlags.RUN_LAST, bool, (str, str, Gst.Element)),
    }
    congestion_control = GObject.Property(type=str, default='gcc')
    do_fec = GObject.Property(type=bool, default=True)

    def make_payloader(self, consumer):
        payloader = Gst.ElementFactory.make('rtph264pay', None)
        for name, value in (('mtu', 1200), ('config-interval', -1), ('pt', 96)):
            payloader.set_property(name, value)
        self.emit('payloader-setup', consumer, 'video_0', payloader)
        if self.congestion_control != 'disabled':
            extension = GstRtp.RTPHeaderExtension.create_from_uri(TWCC)
            extension.set_id(1)
            payloader.emit('add-extension', extension)
        return payloader

    def discover(self):
        """What can be offered: the caps of a payloader that has worked."""
        pipeline = Gst.parse_launch(SOURCE)
        payloader, sink = self.make_payloader('discovery'), Gst.ElementFactory.make('fakesink', None)
        for element in (payloader, sink):
            pipeline.add(element)
        pipeline.get_by_name('end').link(payloader)
        payloader.link(sink)
        pipeline.set_state(Gst.State.PLAYING)
        pipeline.get_state(5 * Gst.SECOND)
        caps = payloader.get_static_pad('src').get_current_caps()
        pipeline.set_state(Gst.State.NULL)
        structure = caps.get_structure(0).copy()
        for field in ('ssrc', 'timestamp-offset', 'seqnum-offset'):
            structure.remove_field(field)
        text = structure.to_string().rstrip(';') + ',rtcp-fb-nack-pli=(boolean)true'
        if TWCC in text:
            text += ',rtcp-fb-transport-cc=(boolean)true'
        return Gst.Caps.from_string(text)

    def add_consumer(self, consumer, signaller):
        self.consumer, self.signaller, self.kept = consumer, signaller, []
        self.pipeline = Gst.Pipeline.new(None)
        self.webrtcbin = Gst.ElementFactory.make('webrtcbin', 'webrtcbin-' + consumer)
        self.webrtcbin.set_property('bundle-policy', 'max-bundle')
        self.pipeline.add(self.webrtcbin)
        self.webrtcbin.connect('on-ice-candidate', lambda _, line, text: signaller.candidate(line, text))
        offered = self.discover()
        self.pad = self.webrtcbin.request_pad_simple('sink_0')
        transceiver = self.pad.get_property('transceiver')
        transceiver.set_property('direction', GstWebRTC.WebRTCRTPTransceiverDirection.SENDONLY)
        transceiver.set_property('codec-preferences', offered)
        transceiver.set_property('do-nack', True)
        if self.do_fec:
            transceiver.set_property('fec-type', GstWebRTC.WebRTCFECType.ULP_RED)
        self.pipeline.set_state(Gst.State.READY)
        self.emit('consumer-added', consumer, self.webrtcbin)
        self.webrtcbin.emit('create-offer', None, self.promise(self.on_offer))
        self.pipeline.set_state(Gst.State.PLAYING)

    def promise(self, then):
        def replied(promise):
            reply = promise.get_reply()
            self.kept += [promise, reply]       # what it holds dies with it
            then(reply)
        return Gst.Promise.new_with_change_func(replied)

    def on_offer(self, reply):
        offer = reply.get_value('offer')
        self.webrtcbin.emit('set-local-description', offer, None)
        self.signaller.offer(offer)

    def on_answer(self, answer):
        self.webrtcbin.emit('set-remote-description', answer, self.promise(self.connect_stream))

    def connect_stream(self, _reply):
        stream = Gst.parse_bin_from_description(SOURCE, True)
        encoder = stream.get_by_name('enc')
        self.emit('encoder-setup', self.consumer, 'video_0', encoder)
        if self.congestion_control == 'disabled':
            encoder.set_property('bitrate', MAX_BITRATE // 1000)
        transceiver = self.pad.get_property('transceiver')
        transceiver.set_property('fec-percentage', 50 if self.congestion_control == 'disabled' else 0)
        offered = transceiver.get_property('codec-preferences')
        transceiver.set_property('codec-preferences', None)
        payloader = self.make_payloader(self.consumer)
        caps = Gst.ElementFactory.make('capsfilter', None)
        caps.set_property('caps', offered)
        for element in (stream, payloader, caps):
            self.pipeline.add(element)
        stream.link(payloader)
        payloader.link(caps)
        caps.get_static_pad('src').link(self.pad)
        for element in (caps, payloader, stream):
            element.sync_state_with_parent()
        self.encoder = encoder


class Consumer:
    """A webrtcbin of GStreamer's with nothing of ours."""

    def __init__(self, sink):
        self.sink, self.kept, self.buffers = sink, [], 0
        self.pipeline = Gst.Pipeline.new(None)
        self.webrtcbin = Gst.ElementFactory.make('webrtcbin', None)
        self.webrtcbin.set_property('bundle-policy', 'max-bundle')
        self.pipeline.add(self.webrtcbin)
        self.webrtcbin.connect('pad-added', self.on_pad)
        self.webrtcbin.connect('on-ice-candidate', lambda _, line, text:
                               sink.webrtcbin.emit('add-ice-candidate', line, text))
        self.pipeline.set_state(Gst.State.PLAYING)

    def candidate(self, line, text):
        self.webrtcbin.emit('add-ice-candidate', line, text)

    def offer(self, offer):
        self.text = offer.sdp.as_text()
        self.webrtcbin.emit('set-remote-description', offer, None)
        self.webrtcbin.emit('create-answer', None, Gst.Promise.new_with_change_func(self.on_answer))

    def on_answer(self, promise):
        reply = promise.get_reply()
        text = reply.get_value('answer').sdp.as_text()
        # As a browser, it takes the transport-wide numbers that are offered; webrtcbin of 1.22 tells
        # of them by feedback, but does not say so.
        if f'a=extmap:1 {TWCC}' in self.text and 'transport-cc' in text:
            text = text.replace('a=recvonly', f'a=extmap:1 {TWCC}\r\na=recvonly')
        answer = GstWebRTC.WebRTCSessionDescription.new(
            GstWebRTC.WebRTCSDPType.ANSWER, GstSdp.SDPMessage.new_from_text(text)[1])
        self.kept += [promise, reply, answer]
        self.webrtcbin.emit('set-local-description', answer, None)
        self.sink.on_answer(answer)

    def on_pad(self, _bin, pad):
        c.swallow(self.pipeline, pad, self.on_buffer)

    def on_buffer(self, _pad, _info):
        self.buffers += 1
        return Gst.PadProbeReturn.OK


def recipe(path):
    blocks = re.findall(r'```python\n(.*?)```', pathlib.Path(path).read_text(), re.S)
    return next(block for block in blocks if 'consumer-added' in block)


def main():
    for element in ('webrtcbin', 'nicesrc', 'x264enc', 'rtpccattach'):
        if not Gst.ElementFactory.find(element):
            c.skip(f'there is no element {element}')
    GObject.type_register(WebRTCSink)
    sink = WebRTCSink()
    exec(recipe(sys.argv[1]), {'sink': sink, 'Gst': Gst, 'gi': c.gi})               # as it stands there
    consumer = Consumer(sink)
    sink.add_consumer('consumer-1', consumer)
    begun, lowest, controller = time.monotonic(), MAX_BITRATE // 1000, None
    while time.monotonic() - begun < SECONDS:
        time.sleep(0.1)
        controller = controller or controller_of(sink.webrtcbin)
        if not hasattr(sink, 'encoder'):
            continue
        kbps = sink.encoder.get_property('bitrate')
        lowest = min(lowest, kbps)
        if feedback(controller) > 20 and lowest < 1000 < kbps and consumer.buffers > 50:
            break
    kbps = sink.encoder.get_property('bitrate')
    parity = 'ulpfec' in consumer.text
    print(f'{time.monotonic() - begun:.1f} s: packets {consumer.buffers}, feedback {feedback(controller)}, '
          f'encoder {MAX_BITRATE // 1000} -> {lowest} -> {kbps} kbit/s, parity of webrtcbin '
          f'{"on" if parity else "off"}')
    bad = [text for good, text in (
        (feedback(controller) > 20, 'no transport-wide feedback comes'),
        (lowest < 1000, 'the encoder does not follow'), (kbps > 1000, 'the rate does not climb'),
        (consumer.buffers > 50, 'no media comes'),
        (not parity, 'a third of what is sent is parity that no controller knows of')) if not good]
    print('\n'.join(bad) or 'good')
    sys.stdout.flush()
    os._exit(bool(bad))


def controller_of(webrtcbin):
    """What rtpccattach has put into the session; None: nothing yet."""
    elements = webrtcbin.iterate_recurse()
    while True:
        result, element = elements.next()
        if result != Gst.IteratorResult.OK:
            return None
        if element.get_factory() and element.get_factory().get_name() == 'rtpgccsender':
            return element


def feedback(controller):
    return controller.get_property('stats').get_value('feedback-count') if controller else 0


main()
