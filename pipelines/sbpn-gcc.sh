#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# Audio and video through rtpsbpnmux, which sends the best packet next at the rate that Google
# Congestion Control behind it allows, from what the receiver reports (RFC 8888).
#
#   pipelines/sbpn-gcc.sh [SECONDS]        inside meson devenv -C build
#   MODE=fifo pipelines/sbpn-gcc.sh        the same in order of arrival; sbpn2 if not given
#
# The link carries 600 kbit/s.  Look for: the sender's target (tx) climbing until the queue
# grows, and the mux's (mux) following it.  It is of all media; the encoder gets what the
# audio leaves.  The controller's RTCP need not pass the mux.
. "${BASH_SOURCE%/*}/common.bash"

# Both media are one session of the sender.  Receiving, gst-launch-1.0 cannot tell one
# rtpbin what each payload type is: here each has a session, behind the receiver that
# reports of both.
run \
  rtpsbpnmux name=mux mode="${MODE:-sbpn2}" rate-control=external \
  sink_0::max-bitrate=50000 ! rtpgccsender name=tx start-bitrate=200000 max-bitrate=3000000 \
  ! rtpcircuitbreaker name=cb ! sending.send_rtp_sink_0 \
  audiotestsrc is-live=true wave=ticks ! opusenc bitrate=32000 ! rtpopuspay pt=97 \
  ! mux.sink_0 \
  videotestsrc is-live=true horizontal-speed=3 ! video/x-raw,width=640,height=480,framerate=25/1 \
  ! x264enc tune=zerolatency speed-preset=superfast key-int-max=100000 bitrate=150 \
  ! rtpbitrateadapter ! rtph264pay pt=96 mtu=1200 aggregate-mode=zero-latency config-interval=-1 \
  ! mux.sink_1 \
  rtpbin name=sending rtp-profile=avpf sending.send_rtp_src_0 \
  ! linksim scenario=constant:600k \
  ! rtpgccreceiver name=rx feedback-format=ccfb ! rtpptdemux name=media \
  rtpbin name=receiving rtp-profile=avpf \
  media.src_96 ! capssetter caps="application/x-rtp,$h264" ! receiving.recv_rtp_sink_0 \
  media.src_97 ! capssetter caps="application/x-rtp,$opus" ! receiving.recv_rtp_sink_1 \
  receiving. ! application/x-rtp,media=video ! rtph264depay request-keyframe=true ! avdec_h264 \
  ! fakesink sync=false async=false \
  receiving. ! application/x-rtp,media=audio ! rtpopusdepay ! opusdec \
  ! fakesink sync=false async=false \
  sending.send_rtcp_src_0 ! udpsink host=127.0.0.1 port="$port" sync=false async=false \
  udpsrc address=127.0.0.1 port="$port" caps=application/x-rtcp ! receiving.recv_rtcp_sink_0 \
  receiving.send_rtcp_src_0 ! udpsink host=127.0.0.1 port=$((port + 1)) sync=false async=false \
  rx.rtcp_src ! udpsink host=127.0.0.1 port=$((port + 1)) sync=false async=false \
  udpsrc address=127.0.0.1 port=$((port + 1)) caps=application/x-rtcp ! tx.rtcp_sink \
  tx.rtcp_src ! cb.rtcp_sink cb.rtcp_src ! sending.recv_rtcp_sink_0
