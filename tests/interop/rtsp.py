#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""gst-rtsp-server with rtpgccsender as its pay0, a stock rtspsrc, and rtpccattach at its rtpbin."""
import sys

import call as c

try:
    c.gi.require_version('GstRtsp', '1.0')
    c.gi.require_version('GstRtspServer', '1.0')
    from gi.repository import GstRtsp, GstRtspServer
except ValueError:
    c.skip('needs the Debian package gir1.2-gst-rtsp-server-1.0')

c.Gst.init(None)
seen = {}


def configure(_factory, media):
    seen['sender'] = media.get_element().get_by_name('pay0')


def attach(_source, rtpbin):
    seen['attach'] = c.Gst.ElementFactory.make('rtpccattach', None)
    seen['attach'].set_property('bin', rtpbin)


server = GstRtspServer.RTSPServer()
server.set_service('0')
factory = GstRtspServer.RTSPMediaFactory()
factory.set_launch('( videotestsrc is-live=true ! video/x-raw,width=320,height=240 '
                   '! x264enc tune=zerolatency ! rtpbitrateadapter ! rtph264pay pt=99 '
                   '! rtpgccsender name=pay0 max-bitrate=2000000 )')
factory.set_profiles(GstRtsp.RTSPProfile.AVPF)
factory.connect('media-configure', configure)
server.get_mount_points().add_factory('/call', factory)
server.attach(None)
client = c.Gst.parse_launch(f'rtspsrc name=s location=rtsp://127.0.0.1:{server.get_bound_port()}/call '
                            'protocols=udp latency=200 ! rtph264depay ! avdec_h264 '
                            '! fakesink name=screen sync=false')
client.get_by_name('s').connect('new-manager', attach)
frames = [0]


def count(_pad, _info):
    frames[0] += 1
    return c.Gst.PadProbeReturn.OK


client.get_by_name('screen').get_static_pad('sink').add_probe(c.Gst.PadProbeType.BUFFER, count)
client.set_state(c.Gst.State.PLAYING)
loop = c.GLib.MainLoop()
c.GLib.timeout_add(12000, loop.quit)
loop.run()
sender = seen.get('sender')
stats = sender.get_property('stats')
target, pt = sender.get_property('estimated-bitrate'), sender.get_property('pt')
rembs, compounds = stats.get_value('remb-count'), stats.get_value('rtcp-compounds')
whole = seen['attach'].get_property('stats')
receiver = whole.get_value('receiver') if whole.has_field('receiver') else None
print(f'frames {frames[0]}, pt {pt}, target {target // 1000} kbit/s, RTCP heard {compounds}, '
      f'REMB {rembs}; the receiver said '
      f'{receiver and [receiver.get_value(n) for n in ("feedback-count", "estimated-bitrate", "send-time")]}')
client.set_state(c.Gst.State.NULL)
ok = frames[0] > 100 and pt == 99 and compounds > 1 and rembs > 5 and target > 300000
sys.stdout.flush()
c.os._exit(not ok)
