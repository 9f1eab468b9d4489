#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""aiortc's end of a call: aiortc_peer.py send|receive URL, signalling by POST as peer.html's."""
import asyncio
import json
import sys
import urllib.request

import numpy
from aiortc import RTCConfiguration, RTCPeerConnection, RTCRtpSender, RTCSessionDescription
from aiortc import VideoStreamTrack
from av import VideoFrame

MODE, URL = sys.argv[1:]


def post(path, thing):
    request = urllib.request.Request(URL + path, json.dumps(thing).encode())
    return json.loads(urllib.request.urlopen(request, timeout=20).read())


async def ask(path, thing):
    return await asyncio.get_running_loop().run_in_executor(None, post, path, thing)


class Waves(VideoStreamTrack):
    """Moving rings, which take some bits to code."""

    def __init__(self):
        super().__init__()
        y, x = numpy.mgrid[0:240, 0:320]
        self.frames, self.sent = [], 0
        for phase in range(30):
            rings = (numpy.sin((x * x + y * y) / 3000 + phase * numpy.pi / 15) + 1) * 127
            self.frames.append(numpy.repeat(rings.astype(numpy.uint8)[:, :, None], 3, 2))

    async def recv(self):
        pts, time_base = await self.next_timestamp()
        frame = VideoFrame.from_ndarray(self.frames[self.sent % 30], format='rgb24')
        frame.pts, frame.time_base = pts, time_base
        self.sent += 1
        return frame


def target_of(sender):
    encoder = getattr(sender, '_RTCRtpSender__encoder', None)
    return getattr(encoder, 'target_bitrate', None) if encoder else None


async def main():
    pc = RTCPeerConnection(RTCConfiguration(iceServers=[]))
    frames, tasks = [0], []

    async def watch(track):
        while True:
            await track.recv()
            frames[0] += 1

    pc.on('track', lambda track: tasks.append(asyncio.ensure_future(watch(track))))
    if MODE == 'send':
        waves = Waves()
        transceiver = pc.addTransceiver(waves, direction='sendonly')
        codecs = RTCRtpSender.getCapabilities('video').codecs
        transceiver.setCodecPreferences([c for c in codecs if c.mimeType == 'video/VP8'][:1])
        await pc.setLocalDescription(await pc.createOffer())
        answer = await ask('/offer', {'sdp': pc.localDescription.sdp})
        await pc.setRemoteDescription(RTCSessionDescription(answer['sdp'], 'answer'))
    else:
        offer = await ask('/getoffer', {})
        await pc.setRemoteDescription(RTCSessionDescription(offer['sdp'], 'offer'))
        await pc.setLocalDescription(await pc.createAnswer())
        await ask('/answer', {'sdp': pc.localDescription.sdp})
    while True:
        await asyncio.sleep(0.5)
        if MODE == 'send':
            await ask('/stats', {'outbound-rtp': {'targetBitrate': target_of(transceiver.sender),
                                                  'framesEncoded': waves.sent}})
        else:
            await ask('/stats', {'inbound-rtp': {'framesDecoded': frames[0]}})


asyncio.run(main())
