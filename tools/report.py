#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Turn the directory of one call into one self-contained HTML page.

    tools/report.py DIR [-o FILE] [--compare DIR2]
    tools/report.py --cdf RUN... [-o FILE]

With --cdf it is one page of many runs: how their delay, queue, rate and picture are
distributed.  A RUN is such a directory, or a CSV file such as rccsim --csv writes.
Runs of one name ("name" of the profile, or the file's without a number at its end) are
one line.

The contract between who measures a call (rtpcall --report DIR, or anything
else that writes the same files) and this page.  All files are UTF-8; CSV is
RFC 4180 with a header line, names in kebab-case, '.' as decimal point.

DIR/call.json (required), one object:
    command    text    the exact command line that made the call
    version    text    what made it, such as "rtpcall 0.2.0"
    started    text    ISO 8601 time of the start
    duration   number  seconds
    about      object  name -> text, shown at the top in this order: "link", "film",
                       "encoder", "controller", "gstreamer" (its version) and
                       "machine".  What is not known is left out, other names
                       are shown as they are
    profile    object  settings in force, name -> text, number or true/false.
                       Three names are known: "name" (labels the run),
                       "max-bitrate" (bit/s: where the source stops asking,
                       so that convergence is not judged beyond it) and
                       "bin" (s: the step of samples.csv, 0.2 if not given)
    summary    object  name -> {"value": number, text or null, "unit": text},
                       shown in this order; units bit/s, s, ms, dB, ratio
                       (0..1, shown in percent) are scaled, others shown as given.
                       rtpcall's "lost on the link", "dropped before sending" and "too
                       late" are defined below; "loss as reported" is what a
                       sender alone last heard
    machine    object  whether the machine that made the call was fast enough:
                       "line" (text) says so in words, "warning" (text or null)
                       says what was too slow and what to do; both are shown at
                       the top.  For programs, from rtpcall: "fast-enough"
                       (true/false: false where one of the bounds in
                       tools/rtpcall/machine.h was passed), "timer-lateness-p50",
                       -p99, -max (ms, how late a sleep of 5 ms ended),
                       "pictures" (that came from the source),
                       "pictures-not-made" (of those, by the encoder, without
                       "pictures-skipped", which were left out on purpose),
                       "cpu-of-one-core" and "cpu-of-the-machine" (CPU time of
                       the process, as shares of one core and of all "cores")
    flows      array   names of the media flows
  Only "command" and "duration" must be there.

DIR/samples.csv (required): one row per bin, in order of time.
    time       s       end of the bin, from the start of the call (required)
    capacity   bit/s   of the bottleneck; empty when nobody knows it
    target     bit/s   what the controller allows
    encoder    bit/s   what the encoder was set to
    sent, received     bit/s on the wire in this bin
    rtt        ms      as the sender sees it
    owd        ms      one-way delay, mean of the packets that arrived
    owd-p95    ms      their 95th percentile
    queue      ms      waiting time in the bottleneck
    loss       0..1    share of the media packets that left in this bin which never
                       arrived: lost on the link
    offered, unsent    media packets that came to the sender's own send path in
                       this bin, and those of them that it dropped before departure
                       (its scheduler, its pacer, its circuit breaker)
    left, lost, late   media packets that left the sender in this bin, those of
                       them that did not arrive, and those that arrived after
                       their playout deadline (rtpcall: 200 ms after they came)
    reported-loss      0..1, as the sender hears it in RTCP; drawn where there is
                       no "loss", as beside a sender alone
    psnr       dB      mean of the bin's frames as the viewer saw them
    frozen     0/1     the picture stood still in this bin
    state      text    of the rate control (increase, hold, decrease ...; of
                       FBRA: down, stay, probe, up)
    usage      text    of the over-use detector (normal, over, under)
    threshold, estimate  of the over-use detector, in its own unit
    breaker    text    of the circuit breaker (closed, reduced, open); what its
                       last report said, and how it was judged:
    breaker-sent       bit/s, the stream's rate as the breaker counts it
    breaker-tcp        bit/s, what TCP would get; empty where nothing is lost
    breaker-limit      bit/s, the rate above which it opens
    breaker-loss       0..1
    breaker-rtt        ms, smoothed
    audio-on-time, video-on-time  0..1, share of what was coded in this bin that
                       arrived within 200 ms of that
    audio-wait, video-wait  ms, mean wait in the mux of what left it
    dropped-expired, dropped-full, dropped-frame, dropped-old
                       packets that the mux has dropped since the call began:
                       too late, for want of room, as the rest of a frame that
                       had lost one, waiting beyond any use
    fec        bit/s   of target, what is parity

DIR/frames.csv (when a picture was measured): one row per shown frame.
    time (s, required), frame (number), psnr-y (dB), psnr (dB, weighted over
    the planes), ssim (0..1), frozen (0/1: the last picture shown again),
    size (bytes)

DIR/events.csv (optional): time (s, required), source, what, detail (text), in
    any order.

Lost, unsent and late mean the same everywhere, on the page, in call.json and in
the terminal (gst/core/losses.h defines them): lost on the link is the sum of lost
by the sum of left, dropped before sending that of unsent by that of offered, too late that
of late by that of left.  Padding, parity and retransmissions are no media.

An empty field, "nan" and "inf" mean "not known" and leave a gap; an infinite
PSNR (identical pictures) counts as 60 dB.  Missing columns are not drawn,
unknown ones are ignored.  A last line without its newline was cut off while
it was written and is ignored; any other line that is too short, or a field
that is no number, is an error that names file and line.
"""
import argparse
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from callreport import Refusal, read  # noqa: E402


def options(argv):
    parser = argparse.ArgumentParser(
        prog='report.py', description='Turn the directory of one call (call.json, samples.csv, '
        'frames.csv, events.csv) into one self-contained HTML page.')
    parser.add_argument('runs', metavar='DIR', type=pathlib.Path, nargs='+',
                        help='where the call was recorded; with --cdf also a CSV file of samples')
    parser.add_argument('-o', '--output', metavar='FILE', type=pathlib.Path,
                        help='the page to write (default: DIR/report.html; with --cdf: cdf.html)')
    how = parser.add_mutually_exclusive_group()
    how.add_argument('--cdf', action='store_true',
                     help='compare any number of runs by their distributions')
    how.add_argument('--compare', metavar='DIR2', type=pathlib.Path,
                        help='a second call to draw over the first, such as another profile')
    wanted = parser.parse_args(argv)
    if len(wanted.runs) > 1 and not wanted.cdf:
        parser.error('one DIR, please; --compare takes a second one, --cdf any number')
    return wanted


def run(argv):
    wanted = options(argv)
    calls = [read.table_alone(path) if wanted.cdf and path.is_file() else read.call(path)
             for path in wanted.runs]
    if wanted.compare:
        calls.append(read.call(wanted.compare))
        read.distinguish(calls)
    # Only now: bad input is told apart from a missing library.
    from callreport import compare, page
    output = wanted.output or (pathlib.Path('cdf.html') if wanted.cdf
                               else wanted.runs[0] / 'report.html')
    text = (compare if wanted.cdf else page).render(calls)
    try:
        output.write_text(text, encoding='utf-8', errors='replace')
    except OSError as error:
        raise Refusal(f'{output} cannot be written: {error.strerror}') from None
    print(output)


def main():
    try:
        run(sys.argv[1:])
    except Refusal as refusal:
        print(f'report.py: {refusal}', file=sys.stderr)
        return 1
    return 0


if __name__ == '__main__':
    sys.exit(main())
