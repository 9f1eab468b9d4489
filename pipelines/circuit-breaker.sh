#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# A call at a fixed rate of 1 Mbit/s, which nothing adapts, and a circuit breaker that
# stops it when the network gets bad (RFC 8083).
#
#   pipelines/circuit-breaker.sh [SECONDS]  inside meson devenv -C build
#
# The link carries 2 Mbit/s, and from 5 s on 0.2 (circuit-breaker.link). Look for: some
# seconds later cb's state, and the message GstRtpCircuitBreaker with reason=congestion and
# a send-rate of more than ten times the tcp-rate (bit/s); retry-after (ns) is how long a
# reset is refused. RTP stands still from then on, RTCP goes on. With rtpbin's own RTCP
# interval of about 5 s, instead of 1 s here, all takes five times as long. And the link
# loses most of RTCP, too: of few sender reports none may come through, and without one
# the breaker knows no round-trip time to judge by.
. "${BASH_SOURCE%/*}/common.bash"

watch=state
run \
  videotestsrc is-live=true pattern=snow ! video/x-raw,width=640,height=480,framerate=25/1 \
  ! x264enc tune=zerolatency speed-preset=superfast key-int-max=100000 bitrate=1000 \
  ! rtph264pay mtu=1200 aggregate-mode=zero-latency config-interval=-1 \
  ! rtpcircuitbreaker name=cb ! sending.send_rtp_sink_0 \
  rtpbin name=sending rtp-profile=avpf rtpsession0::rtcp-min-interval=1000000000 \
  sending.send_rtp_src_0 \
  ! linksim name=link scenario="${BASH_SOURCE%/*}/circuit-breaker.link" \
  ! receiving.recv_rtp_sink_0 \
  rtpbin name=receiving rtp-profile=avpf rtpsession1::rtcp-min-interval=1000000000 receiving. \
  ! rtph264depay ! avdec_h264 ! fakesink sync=false async=false \
  sending.send_rtcp_src_0 ! link.fwd_sink_0 link.fwd_src_0 ! receiving.recv_rtcp_sink_0 \
  receiving.send_rtcp_src_0 ! udpsink host=127.0.0.1 port="$port" sync=false async=false \
  udpsrc address=127.0.0.1 port="$port" caps=application/x-rtcp ! cb.rtcp_sink \
  cb.rtcp_src ! sending.recv_rtcp_sink_0
