# SPDX-License-Identifier: LGPL-2.1-or-later
"""A call between our webrtcbin, with nothing but rtpccattach, and a peer that is not ours."""
import http.server
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

SKIP = 77


def skip(why):
    print('skipped:', why)
    sys.exit(SKIP)


try:
    import gi
    gi.require_version('Gst', '1.0')
    gi.require_version('GstWebRTC', '1.0')
    gi.require_version('GstSdp', '1.0')
    from gi.repository import GLib, Gst, GstSdp, GstWebRTC
except (ImportError, ValueError):
    skip('needs the Debian packages python3-gi and gir1.2-gst-plugins-bad-1.0')

HERE = pathlib.Path(__file__).resolve().parent
ABS = 'http://www.webrtc.org/experiments/rtp-hdrext/abs-send-time'
TWCC = 'http://www.ietf.org/id/draft-holmer-rmcat-transport-wide-cc-extensions-01'
ENCODERS = {
    'H264': ('x264enc name=enc tune=zerolatency speed-preset=ultrafast key-int-max=1000 '
             '! video/x-h264,profile=constrained-baseline '
             '! rtph264pay pt=96 mtu=1200 aggregate-mode=zero-latency config-interval=-1'),
    # aiortc is not always ready for the first key frame, and asks for none that it missed.
    'VP8': ('vp8enc name=enc deadline=1 cpu-used=8 keyframe-max-dist=60 end-usage=cbr '
            '! rtpvp8pay pt=96 mtu=1200 picture-id-mode=15-bit'),
}
DECODERS = {'H264': 'rtph264depay request-keyframe=true ! avdec_h264 ! fakesink name=screen',
            'VP8': 'rtpvp8depay request-keyframe=true ! vp8dec ! fakesink name=screen'}
CHROMIUM = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run',
            '--disable-background-networking', '--disable-component-update', '--disable-sync',
            '--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream',
            '--disable-features=WebRtcHideLocalIpsWithMdns',
            '--autoplay-policy=no-user-gesture-required']


class Lateness(threading.Thread):
    """How late the machine wakes a thread that sleeps for 10 ms."""

    def __init__(self):
        super().__init__(daemon=True)
        self.late = []

    def run(self):
        while True:
            begin = time.monotonic()
            time.sleep(0.01)
            self.late.append(time.monotonic() - begin - 0.01)

    def verdict(self):
        """(whether the machine was fast enough, in words), by rtpcall's measure."""
        late = sorted(self.late) or [0]
        often = late[int(len(late) * 0.99)]
        return often <= 0.01 and late[-1] < 0.1, \
            f'99 % of the timers within {often * 1e3:.1f} ms, all within {late[-1] * 1e3:.0f} ms'


class Call:
    """@mode: 'send' or 'receive', what we do.  @peer: 'chromium' or 'aiortc'.  @link: a scenario of
    linksim for the media.  @feedback: 'twcc' or 'remb'."""

    def __init__(self, mode, peer, codec, link, feedback, nack=False, **settings):
        Gst.init(None)
        for element in ('webrtcbin', 'nicesrc', 'linksim', 'rtpccattach', 'x264enc', 'avdec_h264'):
            if not Gst.ElementFactory.find(element):
                skip(f'there is no element {element}')
        self.mode, self.peer, self.codec = mode, peer, codec
        self.feedback, self.nack = feedback, nack
        self.scratch = tempfile.TemporaryDirectory(prefix='interop-')
        self.scenario = pathlib.Path(self.scratch.name, 'link')
        self.scenario.write_text(link)
        self.begin, self.samples, self.said, self.failed = None, [], {}, None
        self.frames, self.peer_process, self.rtcp = [0], None, [None]
        self.loop, self.gathered = GLib.MainLoop(), threading.Event()
        self.messages, self.kept, self.encoded = [], [], 0
        self.machine = Lateness()
        self.build(settings)

    # --- our end ---

    def build(self, settings):
        if self.mode == 'send':
            caps = (f'application/x-rtp,media=video,encoding-name={self.codec},payload=96,'
                    f'clock-rate=90000,rtcp-fb-nack-pli=true,extmap-3=(string){ABS}')
            if self.feedback == 'twcc':
                caps += f',rtcp-fb-transport-cc=true,extmap-5=(string){TWCC}'
            self.pipeline = Gst.parse_launch(
                'webrtcbin name=w bundle-policy=max-bundle '
                'videotestsrc is-live=true pattern=zone-plate kx2=12 ky2=12 kt=2 '
                '! video/x-raw,width=640,height=480,framerate=25/1 '
                f'! videoconvert ! {ENCODERS[self.codec]} ! {caps} ! w.')
        else:
            self.pipeline = Gst.Pipeline.new(None)
            self.pipeline.add(Gst.ElementFactory.make('webrtcbin', 'w'))
            self.pipeline.get_by_name('w').set_property('bundle-policy', 'max-bundle')
        encoder = self.pipeline.get_by_name('enc')
        if encoder:                             # which leaves pictures out where the rate is low
            encoder.get_static_pad('src').add_probe(Gst.PadProbeType.BUFFER, self.on_encoded)
        self.bin = self.pipeline.get_by_name('w')
        self.attach = Gst.ElementFactory.make('rtpccattach', None)
        for name, value in settings.items():
            self.attach.set_property(name.replace('_', '-'), value)
        self.attach.set_property('bin', self.bin)
        rtpbin = self.bin.get_by_name('rtpbin')
        rtpbin.connect('pad-added', self.on_rtpbin_pad)
        self.bin.connect('pad-added', self.on_stream)
        self.bin.connect('notify::ice-gathering-state', self.on_gathering)
        self.bin.connect('notify::connection-state', self.on_connection)
        self.bin.connect('deep-element-added', self.on_element)
        bus = self.pipeline.get_bus()
        bus.add_signal_watch()
        bus.connect('message', self.on_message)

    def on_rtpbin_pad(self, rtpbin, pad):
        """The link goes between the network and the element that stands nearest to it."""
        wanted = 'send_rtp_src_' if self.mode == 'send' else 'recv_rtp_sink_'
        if not pad.get_name().startswith(wanted):
            return
        target = pad.get_target()
        link = Gst.ElementFactory.make('linksim', 'link')
        rtpbin.add(link)
        pad.set_target(link.get_static_pad('src' if self.mode == 'send' else 'sink'))
        if self.mode == 'send':
            target.link(link.get_static_pad('sink'))
        else:
            link.get_static_pad('src').link(target)
        link.sync_state_with_parent()
        self.link = link

    def on_element(self, _bin, _sub, element):
        factory = element.get_factory()
        if factory and factory.get_name() == 'rtpsession':
            element.get_property('internal-session').connect('on-receiving-rtcp', self.on_rtcp)

    def on_rtcp(self, _session, _buffer):
        self.rtcp[0] = time.monotonic()

    def on_stream(self, _bin, pad):
        if pad.get_direction() != Gst.PadDirection.SRC:
            return
        decoder = Gst.parse_bin_from_description(DECODERS[self.codec], True)
        screen = decoder.get_by_name('screen')
        screen.set_property('sync', False)
        screen.get_static_pad('sink').add_probe(Gst.PadProbeType.BUFFER, self.on_frame)
        self.pipeline.add(decoder)
        decoder.sync_state_with_parent()
        pad.link(decoder.get_static_pad('sink'))

    def on_encoded(self, _pad, _info):
        self.encoded += self.begin is not None
        return Gst.PadProbeReturn.OK

    def on_frame(self, _pad, _info):
        self.frames[0] += 1
        return Gst.PadProbeReturn.OK

    def on_gathering(self, *_):
        if self.bin.get_property('ice-gathering-state').value_nick == 'complete':
            self.gathered.set()

    def on_connection(self, *_):
        if self.bin.get_property('connection-state').value_nick == 'connected' and not self.begin:
            self.begin = time.monotonic()
            self.machine.start()
            # What crossed it before was faster: the path gets longer here.
            self.link.set_property('scenario', str(self.scenario))

    def on_message(self, _bus, message):
        if message.type == Gst.MessageType.ERROR:
            self.failed = message.parse_error()[0].message
            self.loop.quit()
        elif message.type == Gst.MessageType.WARNING:
            self.messages.append((time.monotonic(), message.parse_warning()[0].message))
        elif message.get_structure() and message.get_structure().get_name().startswith('GstRtp'):
            self.messages.append((time.monotonic(), message.get_structure().to_string()))

    # --- signalling ---

    def promised(self, start, name=None):
        done = threading.Event()
        promise = Gst.Promise.new_with_change_func(lambda *_: done.set())
        start(promise)
        if not done.wait(10):
            raise RuntimeError('webrtcbin does not answer')
        reply = promise.get_reply()
        self.kept += [promise, reply]           # what it holds dies with it
        return reply.get_value(name) if name else None

    def local(self, what, description):
        self.promised(lambda p: self.bin.emit('set-local-description', description, p))
        self.gathered.wait(5)
        sdp = self.bin.get_property('local-description').sdp.as_text()
        sdp = '\r\n'.join(line for line in sdp.split('\r\n')
                          if not (line.startswith('a=candidate:') and ' TCP ' in line))
        if self.feedback == 'remb':
            sdp = self.attach.emit('add-feedback', sdp)
        return {'type': what, 'sdp': sdp}

    def remote(self, what, sdp):
        kind = getattr(GstWebRTC.WebRTCSDPType, what.upper())
        description = GstWebRTC.WebRTCSessionDescription.new(
            kind, GstSdp.SDPMessage.new_from_text(sdp)[1])
        self.promised(lambda p: self.bin.emit('set-remote-description', description, p))

    def do_getoffer(self, _):
        self.bin.emit('get-transceiver', 0).set_property('do-nack', self.nack)
        return self.local('offer', self.promised(
            lambda p: self.bin.emit('create-offer', None, p), 'offer'))

    def do_answer(self, said):
        self.remote('answer', said['sdp'])
        return {}

    def do_offer(self, said):
        """We receive: what is answered is what the transceiver's caps ask for."""
        sdp = said['sdp']
        if self.feedback == 'remb':
            sdp = '\r\n'.join(line for line in sdp.split('\r\n')
                              if TWCC not in line and 'transport-cc' not in line)
        pt = re.search(rf'a=rtpmap:(\d+) {self.codec}/90000', sdp)[1]
        caps = (f'application/x-rtp,media=video,encoding-name={self.codec},clock-rate=90000,'
                f'payload={pt},rtcp-fb-nack-pli=true')
        known = re.search(r'a=extmap:(\d+)\S* ' + re.escape(ABS), sdp)
        if known:
            caps += f',extmap-{known[1]}=(string){ABS}'
        transceiver = self.bin.emit('add-transceiver',
                                    GstWebRTC.WebRTCRTPTransceiverDirection.RECVONLY,
                                    Gst.Caps.from_string(caps))
        transceiver.set_property('do-nack', self.nack)
        self.remote('offer', sdp)
        return self.local('answer', self.promised(
            lambda p: self.bin.emit('create-answer', None, p), 'answer'))

    def do_stats(self, said):
        self.said = said
        return {}

    def do_failed(self, said):
        self.failed = said['what']
        GLib.idle_add(self.loop.quit)
        return {}

    def serve(self):
        call = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def log_message(self, *_):
                pass

            def handle(self):
                try:
                    super().handle()
                except ConnectionError:         # it was killed
                    pass

            def reply(self, body, kind='application/json'):
                self.send_response(200)
                self.send_header('Content-Type', kind)
                self.send_header('Content-Length', str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def do_GET(self):
                self.reply((HERE / 'peer.html').read_bytes(), 'text/html')

            def do_POST(self):
                said = json.loads(self.rfile.read(int(self.headers['Content-Length'])))
                self.reply(json.dumps(getattr(call, 'do_' + self.path[1:])(said)).encode())

        server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), Handler)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        return f'http://127.0.0.1:{server.server_address[1]}'

    # --- the peer ---

    def footage(self):
        """What Chromium's fake camera shows; its own picture takes few bits."""
        path = pathlib.Path(self.scratch.name, 'footage.y4m')
        pipeline = Gst.parse_launch(
            'videotestsrc num-buffers=75 pattern=zone-plate kx2=12 ky2=12 kt=2 '
            '! video/x-raw,format=I420,width=640,height=480,framerate=25/1 '
            f'! y4menc ! filesink location={path}')
        pipeline.set_state(Gst.State.PLAYING)
        pipeline.get_bus().timed_pop_filtered(20 * Gst.SECOND,
                                              Gst.MessageType.EOS | Gst.MessageType.ERROR)
        pipeline.set_state(Gst.State.NULL)
        return path

    def start_peer(self, url):
        mode = 'send' if self.mode == 'receive' else 'receive'
        environment = {**os.environ, 'HOME': self.scratch.name}
        if self.peer == 'aiortc':
            command = ['/usr/bin/python3', str(HERE / 'aiortc_peer.py'), mode, url]
        else:
            command = ['chromium', *CHROMIUM, '--user-data-dir=' + self.scratch.name + '/profile']
            if mode == 'send':
                command.append(f'--use-file-for-fake-video-capture={self.footage()}')
            command.append(f'{url}/?mode={mode}&codec={self.codec}')
        self.peer_log = open(pathlib.Path(self.scratch.name, 'peer.log'), 'w+')
        self.peer_process = subprocess.Popen(command, stdout=self.peer_log, env=environment,
                                             stderr=subprocess.STDOUT, start_new_session=True)

    def kill_peer(self):
        try:
            os.killpg(self.peer_process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self.peer_process.wait()

    # --- running ---

    def stats(self, role, *names):
        """Of the controller or the receiver; 0 where there is none."""
        stats = self.attach.get_property('stats')
        part = stats.get_value(role) if stats.has_field(role) else None
        return [part.get_value(name) if part and part.has_field(name) else 0 for name in names]

    def sample(self):
        if self.begin is None:
            return True
        stats = self.link.get_property('stats')
        link = stats.get_value('forward')
        dropped, compounds = self.stats('controller', 'packets-dropped', 'rtcp-compounds')
        self.samples.append({
            'at': time.monotonic() - self.begin, 'frames': self.frames[0],
            'target': self.attach.get_property('estimated-bitrate'),
            'passed': link.get_value('bytes-out'), 'queue': link.get_value('queue-time') / 1e6,
            'lost': link.get_value('packets-dropped'), 'dropped': dropped, 'rtcp': compounds,
            'estimate': self.stats('receiver', 'estimated-bitrate')[0], 'peer': self.said})
        if os.environ.get('INTEROP_VERBOSE'):
            print({k: v for k, v in self.samples[-1].items() if k != 'peer'}, flush=True)
        return True

    def run(self, seconds, at=None, until=None):
        """@at: {second: function}; @until: whether it is over."""
        pending = dict(at or {})
        started = time.monotonic()

        def each():
            now = time.monotonic()
            for when in [w for w in pending if self.begin and now - self.begin >= w]:
                pending.pop(when)()
            if self.begin is None and now - started > 30:
                self.failed = 'the call was never connected'
            if self.failed or (self.begin and (now - self.begin >= seconds
                                               or (until and until()))):
                self.loop.quit()
            return True

        GLib.timeout_add(100, each)
        GLib.timeout_add(250, self.sample)
        self.pipeline.set_state(Gst.State.PLAYING)
        self.start_peer(self.serve())
        try:
            self.loop.run()
        finally:
            names = 'remb-count', 'abs-send-time-id', 'rtcp-compounds', 'feedback-count'
            self.stats_last = dict(zip(names, self.stats('controller', *names)))
            self.kill_peer()
            self.pipeline.set_state(Gst.State.NULL)
        if self.failed:
            self.peer_log.seek(0)
            print(self.peer_log.read()[-3000:])
            print('failed:', self.failed)
            sys.exit(1)

    # --- what came of it ---

    def between(self, begin, end):
        return [s for s in self.samples if begin <= s['at'] < end]

    def rate(self, begin, end):
        """kbit/s over the link, UDP and IP included."""
        some = self.between(begin, end)
        return (some[-1]['passed'] - some[0]['passed']) * 8e-3 / (some[-1]['at'] - some[0]['at'])

    def last(self, kind, field):
        return (self.said.get(kind) or {}).get(field) or 0


class Judge:
    """Prints each figure with its bound; what says how good a call was does not count where the
    machine was too slow."""

    def __init__(self, call):
        self.fast, self.machine = call.machine.verdict()
        self.bad = []

    def __call__(self, what, value, good, bound, quality=True):
        print(f'{what:52} {value!s:>10}   {bound}{"" if good else "   MISSED"}')
        if not good and (self.fast or not quality):
            self.bad.append(what)

    def end(self):
        print('machine:', self.machine)
        if not self.fast:
            print('the machine was too slow: bounds of quality left out')
        if self.bad:
            print('missed:', '; '.join(self.bad))
        sys.stdout.flush()
        os._exit(bool(self.bad))


def swallow(pipeline, pad, on_buffer):
    """Nobody shows what comes out of `pad`, if anything does; on_buffer() sees it."""
    if pad.get_direction() != Gst.PadDirection.SRC:
        return
    sink = Gst.ElementFactory.make('fakesink', None)
    sink.set_property('sync', False)
    sink.set_property('async', False)
    pipeline.add(sink)
    sink.sync_state_with_parent()
    pad.link(sink.get_static_pad('sink'))
    pad.add_probe(Gst.PadProbeType.BUFFER, on_buffer)


def needs(peer):
    if peer == 'chromium' and not shutil.which('chromium'):
        skip('needs the Debian package chromium')
    if peer == 'aiortc' and subprocess.run(['/usr/bin/python3', '-c', 'import aiortc, numpy'],
                                           capture_output=True).returncode:
        skip('needs the Debian package python3-aiortc')
