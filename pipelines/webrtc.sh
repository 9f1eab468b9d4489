#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# Two webrtcbins in one process that adapt to the network by an rtpccattach each
# (tools/webrtccall.c, as webrtcbin needs signalling), over the machine's own network interface.
#
#   pipelines/webrtc.sh [SECONDS]           inside meson devenv -C build
#
# Look for: the target climbing from 300 kbit/s to the 3 Mbit/s allowed, as nothing is in
# the way, 25 frames a second arriving, and the words for what limits the rate.
. "${BASH_SOURCE%/*}/common.bash"

if ! command -v webrtccall > /dev/null; then
  echo "${0##*/}: webrtccall is not here: run inside meson devenv -C build" >&2
  exit 1
fi
webrtccall --duration "$duration" && echo "${0##*/}: done"
