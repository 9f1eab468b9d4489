#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# A call under FBRA at both ends: the sender finds its rate with parity, and the receiver
# reports every packet's outcome in RTCP XR, on a loss at once, and drops what is too late.
#
#   pipelines/fbra-call.sh [SECONDS]        inside meson devenv -C build
#   LINK=rfc8867-5.1-60s pipelines/fbra-call.sh 60      another link; constant:600k if not given
#
# Look for: the messages GstRtpFbraFec, with state=probe and a fec-bitrate, then state=up and
# the parity's share become media (fbra's target in bit/s goes up), or state=down when a queue
# grew or something was lost.  Parity (payload type 122) only probes here, and is thrown away
# where it arrives; fbra-ulpfec.sh repairs with it.
. "${BASH_SOURCE%/*}/common.bash"

messages='\(element\): GstRtpFbraFec'
# RTCP over the loopback, so that the graph has no cycle: what the sender says runs through
# fbra first, which answers the receiver's question for the round trip (port, then port + 1);
# the receiver's reports and its session's RTCP come to port + 2.  Parity waits for the end of
# a frame, as the depayloader minds no gap there; its caps name no payload type, so that the
# jitterbuffer knows the clock rate of both.
run \
  videotestsrc is-live=true horizontal-speed=3 ! video/x-raw,width=640,height=480,framerate=25/1 \
  ! x264enc tune=zerolatency speed-preset=superfast key-int-max=100000 bitrate=300 \
  ! rtpbitrateadapter ! rtph264pay pt=96 ssrc=287454020 mtu=1200 aggregate-mode=zero-latency \
    config-interval=-1 \
  ! rtpfbrafec name=fbra fec-payload-type=122 close-at-marker=true start-bitrate=300000 \
    max-bitrate=3000000 tuning=tuning,owd-floor=50000000 ! sending.send_rtp_sink_0 \
  rtpbin name=sending rtp-profile=avpf sending.send_rtp_src_0 \
  ! capssetter join=false replace=true \
    caps="application/x-rtp,media=video,encoding-name=H264,clock-rate=90000" \
  ! linksim scenario="${LINK:-constant:600k}" delay=20000000 \
  ! rtpfbrareceiver name=rx ! receiving.recv_rtp_sink_0 \
  rtpbin name=receiving rtp-profile=avpf \
  receiving.recv_rtp_src_0_287454020_96 ! rtph264depay request-keyframe=true ! avdec_h264 \
  ! fakesink sync=false async=false \
  receiving.recv_rtp_src_0_287454020_122 ! fakesink sync=false async=false \
  sending.send_rtcp_src_0 ! udpsink host=127.0.0.1 port="$port" sync=false async=false \
  udpsrc address=127.0.0.1 port="$port" caps=application/x-rtcp ! fbra.send_rtcp_sink \
  fbra.send_rtcp_src ! udpsink host=127.0.0.1 port=$((port + 1)) sync=false async=false \
  udpsrc address=127.0.0.1 port=$((port + 1)) caps=application/x-rtcp ! rx.recv_rtcp_sink \
  rx.recv_rtcp_src ! receiving.recv_rtcp_sink_0 \
  receiving.send_rtcp_src_0 ! udpsink host=127.0.0.1 port=$((port + 2)) sync=false async=false \
  rx.rtcp_src ! udpsink host=127.0.0.1 port=$((port + 2)) sync=false async=false \
  udpsrc address=127.0.0.1 port=$((port + 2)) caps=application/x-rtcp ! fbra.rtcp_sink \
  fbra.rtcp_src ! sending.recv_rtcp_sink_0
