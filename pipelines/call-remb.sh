#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# A one-way H.264 call whose receiver estimates the bitrate and tells it by REMB.
#
#   pipelines/call-remb.sh [SECONDS]        inside meson devenv -C build
#
# The link carries 1 Mbit/s, 2.5 from 40 % of RFC 8867's 100 s on (here: in 60 s), then
# 0.6 and 1 again.  Look for: the receiver's estimate (rx) finding the capacity within
# some seconds, and the sender's target (tx) following it as REMB arrives. The circuit
# breaker behind the sender has nothing to say.
. "${BASH_SOURCE%/*}/common.bash"

# RTP goes through the simulated link and RTCP over the loopback, so that the graph
# has no cycle.
run \
  videotestsrc is-live=true horizontal-speed=3 ! video/x-raw,width=640,height=480,framerate=25/1 \
  ! x264enc tune=zerolatency speed-preset=superfast key-int-max=100000 bitrate=300 \
  ! rtpbitrateadapter ! rtph264pay mtu=1200 aggregate-mode=zero-latency config-interval=-1 \
  ! "application/x-rtp,$abs_send_time" \
  ! rtpgccsender name=tx start-bitrate=300000 max-bitrate=3000000 \
  ! rtpcircuitbreaker name=cb ! sending.send_rtp_sink_0 \
  rtpbin name=sending rtp-profile=avpf sending.send_rtp_src_0 \
  ! linksim scenario=rfc8867-5.1-60s \
  ! rtpgccreceiver name=rx start-bitrate=300000 \
  ! receiving.recv_rtp_sink_0 \
  rtpbin name=receiving rtp-profile=avpf receiving. \
  ! rtph264depay request-keyframe=true ! avdec_h264 ! fakesink sync=false async=false \
  sending.send_rtcp_src_0 ! udpsink host=127.0.0.1 port="$port" sync=false async=false \
  udpsrc address=127.0.0.1 port="$port" caps=application/x-rtcp ! receiving.recv_rtcp_sink_0 \
  receiving.send_rtcp_src_0 ! udpsink host=127.0.0.1 port=$((port + 1)) sync=false async=false \
  rx.rtcp_src ! udpsink host=127.0.0.1 port=$((port + 1)) sync=false async=false \
  udpsrc address=127.0.0.1 port=$((port + 1)) caps=application/x-rtcp ! tx.rtcp_sink \
  tx.rtcp_src ! cb.rtcp_sink cb.rtcp_src ! sending.recv_rtcp_sink_0
