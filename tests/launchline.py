# SPDX-License-Identifier: LGPL-2.1-or-later
"""A gst-launch-1.0 line as typed into a shell, and what rtpgccsender says meanwhile."""
import collections
import re
import signal
import subprocess
import threading
import time

# The messages that rtpgccsender posts when what limits its target changes.
SAYS = re.compile(r'\(element\): GstRtpGccSender, limited-by=\(string\)"?([\w-]+)"?, '
                  r'target-bitrate=\(uint\)(\d+), reason=\(string\)(.*);')
# What it has to hear feedback by, and how long a run must last to tell.
HEARD_BY, CALL_SECONDS = 10, 12
# Of those only feedback is a reason; "start" and "no feedback" are not.
FEEDBACK = ('REMB', 'transport feedback', 'receiver report')

Done = collections.namedtuple('Done', 'returncode stdout said')


def run(line, seconds, since=None, until=None, patience=40, **options):
    """Ends the line by SIGINT, as people do, after which gst-launch-1.0 exits with 0.

    That is @seconds after the start, or after the first output that matches @since, or as
    soon as output matches @until.  What was said stands with its time after @since."""
    program = subprocess.Popen(['bash', '-c', 'exec ' + line], stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT, text=True, **options)
    timers, said, begin = [], [], None
    stopped = threading.Lock()

    def stop():
        if stopped.acquire(blocking=False):     # a second SIGINT would kill it
            program.send_signal(signal.SIGINT)

    def later(delay, action):
        timers.append(threading.Timer(delay, action))
        timers[-1].start()

    later(patience + seconds, program.kill)
    if not since:
        later(seconds, stop)
    for text in program.stdout:
        if since and begin is None and re.search(since, text):
            begin = time.monotonic()
            later(seconds, stop)
        if until and re.search(until, text):
            stop()
        said.append((time.monotonic() - begin if begin else 0, text))
    program.stdout.close()
    returncode = program.wait()
    for timer in timers:
        timer.cancel()
    return Done(returncode, ''.join(text for _, text in said), said)


def call(line, **options):
    """A line with an rtpgccsender, long enough for why_deaf()."""
    return run(line, CALL_SECONDS, since=SAYS, **options)


def why_deaf(done):
    """None where the sender adapts to feedback; else what tells that it does not."""
    said = [(at, match[1], int(match[2]), match[3].replace('\\', '').strip('"'))
            for at, text in done.said for match in [SAYS.search(text)] if match]
    if not said:
        return 'rtpgccsender says nothing'
    start = said[0][2]
    # Each holds until the next one, and the last to the end.
    ends = [at for at, *_ in said[1:]] + [float('inf')]
    for end, (at, limited_by, target, reason) in zip(ends, said):
        if limited_by == 'feedback-timeout' and end > HEARD_BY:
            return f'feedback-timeout, from {at:.1f} s to {end:.1f} s: {said}'
    if not any(reason in FEEDBACK and target != start for _, _, target, reason in said):
        return f'no feedback moved the target: {said}'
    return None
