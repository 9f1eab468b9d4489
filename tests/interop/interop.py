#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Calls with peers that are not ours: interop.py CASE

Ours is a webrtcbin with rtpccattach and nothing else; the media cross linksim.  Exits with 77
where the peer is not installed."""
import statistics
import sys
import time

import call as c

DELAY = '0 both delay 25ms queue 300ms\n'


def longest_freeze(call):
    """s; of freezes between two reports of the peer's, the mean."""
    longest, before = 0, (0, 0)
    for said in (s['peer'].get('inbound-rtp') or {} for s in call.samples):
        now = said.get('freezeCount', 0), said.get('totalFreezesDuration', 0)
        if now[0] > before[0]:
            longest = max(longest, (now[1] - before[1]) / (now[0] - before[0]))
            before = now
    return longest


STALL = DELAY + '0 fwd rate 1M\n10 fwd rate 0\n10.3 fwd rate 1M\n'


def chromium_receives_twcc():
    """How deep the rate falls at a stall differs from call to call: the median of three."""
    c.needs('chromium')
    shares = []
    for after, seconds in (('', 15), ('', 15), ('15 fwd rate 500k\n', 25)):
        call = c.Call('send', 'chromium', 'H264', STALL + after, 'twcc', nack=True,
                      max_bitrate=3000000)
        call.run(seconds)
        shares.append(call.rate(7, 15) / 1000)
    judge = c.Judge(call)
    judge('share of 1000 kbit/s, 7 to 15 s, of three calls', ' '.join(f'{s:.2f}' for s in shares),
          0.6 <= statistics.median(shares) <= 1.05, 'median 0.6 to 1.05')
    share = call.rate(18, 25) / 500
    judge('share of 500 kbit/s, 18 to 25 s', f'{share:.2f}', 0.6 <= share <= 1.05, '0.6 to 1.05')
    judge('frames decoded', call.last('inbound-rtp', 'framesDecoded'),
          call.last('inbound-rtp', 'framesDecoded') > 100, '> 100', quality=False)
    judge('longest freeze, s', f'{longest_freeze(call):.2f}', longest_freeze(call) <= 1, '<= 1')
    judge('dropped before sending', call.samples[-1]['dropped'],
          call.samples[-1]['dropped'] == 0, '0')
    nacks = call.last('inbound-rtp', 'nackCount')
    judge('NACKs', nacks, nacks < 50, '< 50')
    queue = [s['queue'] for s in call.between(17, 25)]
    judge('longest queue from 2 s after the fall, ms', f'{max(queue):.0f}', True, 'told')
    judge('lost on the link', call.samples[-1]['lost'], True, 'told')
    judge.end()


def judge_shares(judge, call, phases):
    """@phases: (kbit/s, begin, end, least share) of which the last two thirds count."""
    for kbps, begin, end, least in phases:
        share = call.rate(begin + (end - begin) / 3, end) / kbps
        judge(f'share of {kbps} kbit/s, last two thirds', f'{share:.3f}', share >= least,
              f'>= {least}')


def judge_queue(judge, call, fall, end):
    """It is drained once a second of it is short."""
    samples = call.between(fall, end)
    long = [s['at'] for s in samples if s['queue'] >= 50]
    drained = next((at for at in [fall, *long] if not any(at < b <= at + 1 for b in long)), end)
    judge('queue under 50 ms for a second, after the fall, s', f'{drained - fall:.2f}',
          drained - fall <= 2, '<= 2')
    queue = sorted(s['queue'] for s in samples if s['at'] >= fall + 2)
    most = queue[int(.95 * len(queue))]
    judge('queue from 2 s after the fall, 95 %, ms', f'{most:.0f}', most < 50, '< 50')
    judge('longest queue from 2 s after the fall, ms', f'{queue[-1]:.0f}', queue[-1] < 50, '< 50')


def chromium_receives_long():
    """65 s, by name alone."""
    c.needs('chromium')
    call = c.Call('send', 'chromium', 'H264',
                  DELAY + '0 fwd rate 1M\n22 fwd rate 2500k\n44 fwd rate 500k\n', 'twcc', nack=True,
                  max_bitrate=3000000)
    call.run(65)
    judge = c.Judge(call)
    judge_shares(judge, call, ((1000, 0, 22, .85), (2500, 22, 44, .85), (500, 44, 65, .85)))
    judge('longest freeze, s', f'{longest_freeze(call):.2f}', longest_freeze(call) <= 1, '<= 1')
    dropped, nacks = call.samples[-1]['dropped'], call.last('inbound-rtp', 'nackCount')
    judge('dropped before sending', dropped, dropped == 0, '0')
    judge('NACKs', nacks, nacks < 50, '< 50')
    judge_queue(judge, call, 44, 65)
    judge('lost on the link', call.samples[-1]['lost'], True, 'told')
    judge.end()


def chromium_receives_remb():
    c.needs('chromium')
    call = c.Call('send', 'chromium', 'H264', DELAY + '0 fwd rate 1M\n', 'remb',
                  max_bitrate=3000000)
    call.run(30)
    judge = c.Judge(call)
    rembs = call.stats_last['remb-count']
    judge('REMBs that reached the controller', rembs, rembs > 10, '> 10', quality=False)
    judge('abs-send-time, id', call.stats_last['abs-send-time-id'],
          call.stats_last['abs-send-time-id'] == 3, '3', quality=False)
    share = call.rate(20, 30) / 1000
    judge('share of 1000 kbit/s, 20 to 30 s', f'{share:.2f}', share >= 0.6, '>= 0.6')
    least = min(s['target'] for s in call.between(1, 30)) / 1e3
    judge('lowest target, kbit/s', f'{least:.0f}', True, 'told')
    judge.end()


def agrees(call, sample):
    """Whether the peer's available bitrate is what we told in the second before; it reports each
    half second."""
    told = [s['estimate'] for s in call.between(sample['at'] - 1.5, sample['at'] + .01)]
    heard = (sample['peer'].get('pair') or {}).get('availableOutgoingBitrate') or 0
    return .9 * min(told) <= heard <= 1.1 * max(told)


def judge_agreement(judge, call):
    """Our estimate falls within one sample, and the peer tells of it up to a second later."""
    some = call.between(5, call.samples[-1]['at'] + 1)
    agreed = sum(agrees(call, sample) for sample in some) / len(some)
    judge('reports of its in which it is our REMB, a second old at most', f'{agreed:.3f}',
          agreed >= .95, '>= 0.95')


def chromium_sends():
    c.needs('chromium')
    call = c.Call('receive', 'chromium', 'H264', DELAY + '0 fwd rate 2M\n15 fwd rate 500k\n',
                  'remb')
    call.run(30)
    judge = c.Judge(call)
    estimates = sum(s['estimate'] > 0 for s in call.samples)
    judge('samples with an estimate', estimates, estimates > 60, '> 60', quality=False)
    judge('frames', call.frames[0], call.frames[0] > 300, '> 300', quality=False)
    judge_agreement(judge, call)
    judge('kbit/s of 2000, 8 to 15 s', f'{call.rate(8, 15):.0f}', True, 'told')
    after = [s['estimate'] / 1e3 for s in call.between(17, 20)]
    judge('estimate 2 to 5 s after the fall to 500', f'{max(after):.0f}', max(after) <= 600,
          '<= 600')
    judge('kbit/s of 500, 25 to 30 s', f'{call.rate(25, 30):.0f}', call.rate(25, 30) > 400,
          '> 400')
    judge.end()


def chromium_sends_long():
    """60 s, by name alone."""
    c.needs('chromium')
    call = c.Call('receive', 'chromium', 'H264',
                  DELAY + '0 fwd rate 2M\n20 fwd rate 500k\n40 fwd rate 1500k\n', 'remb')
    call.run(60)
    judge = c.Judge(call)
    judge_shares(judge, call, ((2000, 0, 20, .85), (500, 20, 40, .8), (1500, 40, 60, .8)))
    judge_agreement(judge, call)
    back = call.rate(25, 30) / 500
    judge('share of 500 kbit/s from 5 to 10 s after the fall', f'{back:.3f}', back >= .9, '>= 0.9')
    judge.end()


def each_second(call, count):
    """How much @count of a sample grows in each second."""
    seconds = range(int(call.samples[-1]['at']) + 1)
    after = [max([count(s) for s in call.samples if s['at'] < second + 1], default=0)
             for second in seconds]
    return ' '.join(str(b - a) for a, b in zip([0] + after, after))


def decoded(sample):
    return (sample['peer'].get('inbound-rtp') or {}).get('framesDecoded') or 0


def aiortc_receives():
    c.needs('aiortc')
    call = c.Call('send', 'aiortc', 'VP8', DELAY + '0 fwd rate 1M\n', 'remb', max_bitrate=2000000)
    call.run(15)
    judge = c.Judge(call)
    frames = call.last('inbound-rtp', 'framesDecoded')
    judge('frames that came of those that were made', f'{frames}/{call.encoded}',
          frames > 0.8 * call.encoded > 0, '> 80 %')
    judge('of them in each second', each_second(call, decoded), True, 'told')
    judge('lost on the link in each second', each_second(call, lambda s: s['lost']), True, 'told')
    judge('dropped before sending', call.samples[-1]['dropped'], True, 'told')
    judge('lowest target, kbit/s', f'{min(s["target"] for s in call.between(1, 15)) / 1e3:.0f}',
          True, 'told')
    rembs = call.stats_last['remb-count']
    judge('REMBs that reached the controller', rembs, rembs > 5, '> 5', quality=False)
    judge('share of 1000 kbit/s, 8 to 15 s', f'{call.rate(8, 15) / 1000:.2f}', True, 'told')
    judge.end()


def aiortc_sends():
    c.needs('aiortc')
    call = c.Call('receive', 'aiortc', 'VP8', DELAY + '0 fwd rate 1M\n', 'remb')
    call.run(15)
    judge = c.Judge(call)
    encoded = call.last('outbound-rtp', 'framesEncoded')
    judge('frames of those it made', f'{call.frames[0]}/{encoded}',
          call.frames[0] > 0.8 * encoded > 0, '> 80 %')
    told, target = call.samples[-1]['estimate'], call.last('outbound-rtp', 'targetBitrate')
    judge('an estimate, kbit/s', told // 1000, told > 0, '> 0', quality=False)
    # its encoder takes 250 kbit/s to 1.5 Mbit/s
    wanted = min(max(told, 250e3), 1.5e6)
    judge('its target over our estimate', f'{target / wanted:.2f}',
          0.7 <= target / wanted <= 1.3, '0.7 to 1.3')
    judge.end()


def peer_killed():
    peer = 'aiortc'
    c.needs(peer)
    call = c.Call('send', peer, 'VP8', DELAY + '0 fwd rate 2M\n', 'remb', max_bitrate=1000000)

    def opened():
        return [when for when, text in call.messages
                if text.startswith('GstRtpCircuitBreaker,') and 'state=(string)open' in text]

    call.run(40, at={8: call.kill_peer}, until=opened)
    judge = c.Judge(call)
    trips = opened()
    heard = call.rtcp[0]
    waited = trips[0] - heard if trips else 0
    judge('opened so long after the last RTCP, s', f'{waited:.1f}', 15 <= waited <= 17, '15 to 17')
    judge('... and after the kill, s', f'{trips[0] - call.begin - 8:.1f}' if trips else 'never',
          bool(trips), 'told', quality=False)
    judge.end()


if __name__ == '__main__':
    print(time.strftime('%H:%M:%S'), sys.argv[1], flush=True)
    globals()[sys.argv[1].replace('-', '_')]()
