#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# A one-way H.264 call with transport-wide feedback: rtpbin at the receiver reports when
# each packet came, and the sender estimates the bitrate.
#
#   pipelines/call-twcc.sh [SECONDS]        inside meson devenv -C build
#
# Look for: the sender's target (tx) finding the link's 1 Mbit/s within some seconds
# and staying near it.  No element of ours is needed at the receiver; the extension must
# be in the caps of both ends, and the session's profile must be AVPF, or the feedback
# comes every five seconds.
. "${BASH_SOURCE%/*}/common.bash"

run \
  videotestsrc is-live=true horizontal-speed=3 ! video/x-raw,width=640,height=480,framerate=25/1 \
  ! x264enc tune=zerolatency speed-preset=superfast key-int-max=100000 bitrate=300 \
  ! rtpbitrateadapter ! rtph264pay mtu=1200 aggregate-mode=zero-latency config-interval=-1 \
  ! "application/x-rtp,$abs_send_time,$transport_wide" \
  ! rtpgccsender name=tx start-bitrate=300000 max-bitrate=3000000 \
  ! rtpcircuitbreaker name=cb ! sending.send_rtp_sink_0 \
  rtpbin name=sending rtp-profile=avpf sending.send_rtp_src_0 \
  ! linksim scenario=constant:1M ! receiving.recv_rtp_sink_0 \
  rtpbin name=receiving rtp-profile=avpf receiving. \
  ! rtph264depay request-keyframe=true ! avdec_h264 ! fakesink sync=false async=false \
  sending.send_rtcp_src_0 ! udpsink host=127.0.0.1 port="$port" sync=false async=false \
  udpsrc address=127.0.0.1 port="$port" caps=application/x-rtcp ! receiving.recv_rtcp_sink_0 \
  receiving.send_rtcp_src_0 ! udpsink host=127.0.0.1 port=$((port + 1)) sync=false async=false \
  udpsrc address=127.0.0.1 port=$((port + 1)) caps=application/x-rtcp ! tx.rtcp_sink \
  tx.rtcp_src ! cb.rtcp_sink cb.rtcp_src ! sending.recv_rtcp_sink_0
