#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Offers of many shapes, each between two webrtcbins with nothing but rtpccattach; all at once.

Fixed before the first run: a description is refused with words, or media comes.  Where media comes
feedback does, too, or one message says what is missing.  No message comes again and again, no
pipeline fails, and none takes longer than the others to stop."""
import os
import re
import sys
import threading
import time

import call as c
from call import ABS, Gst, GstSdp, GstWebRTC, TWCC

LONGEST = 11                            # s, for all of them
VIDEO = ('videotestsrc is-live=true ! video/x-raw,width=64,height=48,framerate=10/1 '
         '! x264enc tune=zerolatency speed-preset=ultrafast key-int-max=20 '
         '! video/x-h264,profile=constrained-baseline ! rtph264pay pt=96 config-interval=-1 '
         '! application/x-rtp,media=video,encoding-name=H264,payload=96,clock-rate=90000'
         f',rtcp-fb-nack-pli=true,rtcp-fb-transport-cc=true,extmap-3=(string){ABS}'
         f',extmap-5=(string){TWCC} ! a. ')
AUDIO = ('audiotestsrc is-live=true ! opusenc bitrate=32000 ! rtpopuspay pt=97 '
         '! application/x-rtp,media=audio,encoding-name=OPUS,payload=97,clock-rate=48000'
         f',rtcp-fb-transport-cc=true,extmap-5=(string){TWCC} ! a. ')


def without(*words):
    """An edit that drops the lines with one of @words."""
    return lambda sdp: ''.join(line for line in sdp.splitlines(True)
                               if not any(word in line for word in words))


def replace(pattern, by):
    return lambda sdp: re.sub(pattern, by, sdp)


def same(sdp):
    return sdp


def add_rtx(fmtp):
    """Retransmissions (RFC 4588) for payload type 96; @fmtp: their line."""
    return lambda sdp: sdp.replace(' 96\r\n', ' 96 98\r\n', 1).replace(
        'a=rtpmap:96', f'a=rtpmap:98 rtx/90000\r\n{fmtp}a=rtpmap:96', 1)


PROFILE = r'UDP/TLS/RTP/SAVPF'
SLOW = 'AVP', 'SAVP'                    # profiles without feedback (RFC 4585)
# name: (media, bundled, edit of the offer, edit of a second offer or None)
SHAPES = {
    'as usual': (VIDEO, True, same, None),
    'no feedback lines': (VIDEO, True, without('rtcp-fb', 'extmap'), None),
    'feedback lines, no extension': (VIDEO, True, without('extmap'), None),
    'AVP': (VIDEO, True, replace(PROFILE, 'RTP/AVP'), None),
    'SAVP': (VIDEO, True, replace(PROFILE, 'UDP/TLS/RTP/SAVP'), None),
    'AVPF': (VIDEO, True, replace(PROFILE, 'RTP/AVPF'), None),
    'SAVPF': (VIDEO, True, replace(PROFILE, 'RTP/SAVPF'), None),
    'another id, later': (VIDEO, True, same, replace(r'extmap:5 ', 'extmap:9 ')),
    'no extension, later': (VIDEO, True, same, without(TWCC, 'transport-cc')),
    'bundled': (VIDEO + AUDIO, True, same, None),
    'not bundled': (VIDEO + AUDIO, False, same, None),
    'audio alone': (AUDIO, True, same, None),
    'the peer sends nothing': (VIDEO, True, replace('a=sendrecv', 'a=sendonly'), None),
    'copies without apt': (VIDEO, True, add_rtx(''), None),
    'copies of nothing': (VIDEO, True, add_rtx('a=fmtp:98 apt=77\r\n'), None),
    'an unknown extension': (VIDEO, True, replace(
        r'(a=rtpmap:96)', r'a=extmap:14 urn:example:nobody-knows\r\n\1'), None),
}


class Shape:
    def __init__(self, name, media, bundled, edit, later):
        self.name, self.edit, self.later = name, edit, later
        policy = 'max-bundle' if bundled else 'none'
        self.pipeline = Gst.parse_launch(
            f'webrtcbin name=a bundle-policy={policy} webrtcbin name=b bundle-policy={policy} {media}')
        self.a, self.b = self.pipeline.get_by_name('a'), self.pipeline.get_by_name('b')
        self.kept, self.buffers, self.refused, self.errors = [], 0, '', []
        self.words, self.missing, self.offers, self.told = [], '', 0, 0
        self.attached = []
        for end, other in ((self.a, self.b), (self.b, self.a)):
            attach = Gst.ElementFactory.make('rtpccattach', None)
            attach.set_property('bin', end)
            self.attached.append(attach)
            end.connect('on-ice-candidate',
                        lambda _, line, text, to: to.emit('add-ice-candidate', line, text), other)
        self.a.connect('on-negotiation-needed', lambda _: self.offers or self.offer())
        self.b.connect('pad-added', self.on_pad)
        self.pipeline.get_bus().set_sync_handler(self.on_message)

    def on_message(self, _bus, message):
        if message.type == Gst.MessageType.ERROR:
            self.errors.append(message.parse_error()[0].message)
        elif message.type == Gst.MessageType.WARNING:
            self.words.append(message.parse_warning()[0].message)
        elif message.get_structure() and message.get_structure().get_name() == 'GstRtpCcAttach':
            missing = message.get_structure().get_string('missing')
            if missing and missing != self.missing:
                self.words.append(missing)
            self.missing = missing
        return Gst.BusSyncReply.DROP

    def on_pad(self, _bin, pad):
        c.swallow(self.pipeline, pad, self.on_buffer)

    def on_buffer(self, _pad, _info):
        self.buffers += 1
        return Gst.PadProbeReturn.OK

    # --- signalling ---

    def promise(self, then):
        return Gst.Promise.new_with_change_func(self.on_reply, then)

    def on_reply(self, promise, then):
        reply = promise.get_reply()
        self.kept += [promise, reply]           # what it holds dies with it
        if reply and reply.has_field('error'):
            self.refused = self.refused or str(reply.get_value('error'))
        elif then:
            then(reply)

    def offer(self):
        self.told = self.feedback() if self.offers else 0
        self.offers += 1
        edit = self.edit if self.offers == 1 else self.later
        self.a.emit('create-offer', None, self.promise(
            lambda reply: self.give(reply.get_value('offer'), edit, self.a, self.b, 'OFFER')))

    def answer(self, _reply):
        self.b.emit('create-answer', None, self.promise(
            lambda reply: self.give(reply.get_value('answer'), same, self.b, self.a, 'ANSWER')))

    def give(self, description, edit, local, remote, kind):
        whole = description.sdp.as_text()
        text = edit(whole)
        if edit is not same and text == whole:
            self.errors.append('the edit does not fit the offer')
        edited = [GstWebRTC.WebRTCSessionDescription.new(
            getattr(GstWebRTC.WebRTCSDPType, kind), GstSdp.SDPMessage.new_from_text(text)[1])
            for _ in range(2)]
        self.kept += [description, *edited]
        local.emit('set-local-description', edited[0], self.promise(None))
        remote.emit('set-remote-description', edited[1],
                    self.promise(self.answer if kind == 'OFFER' else None))

    # --- what came of it ---

    def feedback(self):
        stats = self.attached[0].get_property('stats')
        return sum(part.get_value('feedback-count') + part.get_value('remb-count')
                   for part in (stats.get_value(stats.nth_field_name(i))
                                for i in range(stats.n_fields())
                                if stats.nth_field_name(i).startswith('controller')))

    def news(self):
        """Feedback since the last offer."""
        return self.feedback() - self.told

    def is_settled(self):
        return bool(self.refused or (self.buffers > 20 and (self.news() > 3 or self.words)
                                     and self.offers > bool(self.later)))

    def verdict(self):
        """What is wrong; '' for nothing."""
        if self.errors:
            return 'failed: ' + self.errors[0]
        if len(self.words) > 3 or len(set(self.words)) != len(self.words):
            return f'{len(self.words)} messages'
        if self.refused:
            return '' if len(self.refused) > 10 else 'refused without words'
        if self.buffers <= 20:
            return 'no media comes, and nobody says why'
        if self.name in SLOW and not any('AVPF' in words for words in self.words):
            return 'nobody says that the profile has no feedback'
        if self.news() <= 3 and not self.words:
            return 'no feedback comes, and nobody says so'
        return ''


def main():
    Gst.init(None)
    for element in ('webrtcbin', 'nicesrc', 'x264enc', 'opusenc', 'rtpccattach'):
        if not Gst.ElementFactory.find(element):
            c.skip(f'there is no element {element}')
    only = sys.argv[1:] or list(SHAPES)
    shapes = [Shape(name, *SHAPES[name]) for name in only]
    begun = time.monotonic()
    for shape in shapes:
        shape.pipeline.set_state(Gst.State.PLAYING)
    while time.monotonic() - begun < LONGEST and not all(s.is_settled() for s in shapes):
        time.sleep(0.1)
        for shape in shapes:
            if shape.later and shape.offers == 1 and shape.feedback() > 3:
                shape.offer()
    bad = 0
    for shape in shapes:
        wrong = shape.verdict()
        bad += bool(wrong)
        print(f'{shape.name:30} media {shape.buffers:4}  feedback {shape.feedback():4}  '
              f'{"; ".join(shape.words + [shape.refused]) or "-"}{"   WRONG: " + wrong if wrong else ""}',
              flush=True)
    print(f'{time.monotonic() - begun:.1f} s')
    stoppers = [threading.Thread(target=s.pipeline.set_state, args=(Gst.State.NULL,), daemon=True)
                for s in shapes]
    for thread in stoppers:
        thread.start()
    ends = time.monotonic() + 3
    for shape, thread in zip(shapes, stoppers):
        thread.join(max(0, ends - time.monotonic()))
        if thread.is_alive():
            bad += 1
            print(shape.name, 'does not stop')
    sys.stdout.flush()
    os._exit(bool(bad))


main()
