#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""tshark takes apart each kind of RTCP that we build, without a complaint: dissect.py PACKETS"""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

if not shutil.which('tshark'):
    print('skipped: needs the Debian package tshark')
    sys.exit(77)
# What has to stand in its words, so that it is not merely passed over.
WORDS = {'SR': r'Sender Report', 'RR': r'Receiver Report', 'REMB': r'REMB.*\(?2345\d{3}',
         'TMMBR': r'TMMBR', 'TMMBN': r'TMMBN', 'NACK': r'NACK.*65530',
         'TWCC': r'[Tt]ransport-cc', 'CCFB': r'Congestion Control Feedback|Unknown \(11\)',   # 4.0 only knows its head
         'XR': r'Loss Run Length'}

with tempfile.TemporaryDirectory() as scratch:
    capture = pathlib.Path(scratch, 'packets.pcap')
    done = subprocess.run([sys.argv[1], capture], stdout=subprocess.PIPE, text=True, check=True)
    frames = dict(line.split(' ', 1) for line in done.stdout.splitlines())
    said = subprocess.run(['tshark', '-r', capture, '-d', 'udp.port==5005,rtcp', '-V', '-O', 'rtcp'],
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                          check=True).stdout
bad = 0
for text in re.split(r'(?m)^Frame (?=\d+:)', said)[1:]:
    name = frames.pop(text.split(':')[0])
    complaints = re.findall(r'(?m)^.*(?:Malformed|Expert Info|Exception).*$', text)
    known = re.search(WORDS[name], text, re.S)
    print(f'{name:6}', 'clean' if known and not complaints else
          '; '.join(c.strip() for c in complaints) or 'not recognised\n' + text)
    bad += bool(complaints or not known)
print('not dissected:', frames) if frames else None
sys.exit(bool(bad or frames))
