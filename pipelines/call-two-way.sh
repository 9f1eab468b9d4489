#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# Two ends that send each other audio and video over UDP on the loopback.
#
#   pipelines/call-two-way.sh [SECONDS]     inside meson devenv -C build
#
# Each direction has its own link in front of the socket: 800 kbit/s from alice to bob,
# 400 kbit/s from bob to alice; audio and video share its queue.  Look for: alice's target
# settling below 750 kbit/s and bob's below 350, what audio (session 1, about 50 kbit/s
# on the wire) leaves.  Each receiver's REMB rides with its RTCP.
. "${BASH_SOURCE%/*}/common.bash"

video_caps="application/x-rtp,$h264,$abs_send_time"
audio_caps="application/x-rtp,$opus"

# media NAME LINK PORT: what NAME sends to PORT (video) and PORT+2 (audio).
media() {
  echo "videotestsrc is-live=true horizontal-speed=3
    ! video/x-raw,width=320,height=240,framerate=25/1
    ! x264enc tune=zerolatency speed-preset=superfast key-int-max=100000 bitrate=200
    ! rtpbitrateadapter ! rtph264pay pt=96 mtu=1200 aggregate-mode=zero-latency config-interval=-1
    ! application/x-rtp,$abs_send_time
    ! rtpgccsender name=$1tx start-bitrate=200000 max-bitrate=2000000
    ! rtpcircuitbreaker name=$1cb ! $1.send_rtp_sink_0
    audiotestsrc is-live=true wave=ticks ! opusenc bitrate=32000 ! rtpopuspay pt=97
    ! $1.send_rtp_sink_1
    rtpbin name=$1 rtp-profile=avpf linksim name=$1link scenario=$2
    $1.send_rtp_src_0 ! $1link.sink $1link.src
    ! udpsink host=127.0.0.1 port=$3 sync=false async=false
    $1.send_rtp_src_1 ! $1link.fwd_sink_0 $1link.fwd_src_0
    ! udpsink host=127.0.0.1 port=$(($3 + 2)) sync=false async=false
    $1.send_rtcp_src_0 ! udpsink host=127.0.0.1 port=$(($3 + 1)) sync=false async=false
    $1.send_rtcp_src_1 ! udpsink host=127.0.0.1 port=$(($3 + 3)) sync=false async=false"
}

# receiver NAME PORT TO: what NAME does with what comes to PORT; its REMB goes to port TO,
# where the other end listens for RTCP of the video.
receiver() {
  echo "udpsrc address=127.0.0.1 port=$2 socket-timestamp=realtime caps=$video_caps
    ! rtpgccreceiver name=$1rx start-bitrate=200000 ! $1.recv_rtp_sink_0
    $1. ! application/x-rtp,media=video ! rtph264depay request-keyframe=true
    ! avdec_h264 ! fakesink sync=false async=false
    udpsrc address=127.0.0.1 port=$(($2 + 2)) socket-timestamp=realtime caps=$audio_caps
    ! $1.recv_rtp_sink_1
    $1. ! application/x-rtp,media=audio ! rtpopusdepay ! opusdec
    ! fakesink sync=false async=false
    udpsrc address=127.0.0.1 port=$(($2 + 1)) caps=application/x-rtcp
    ! $1tx.rtcp_sink $1tx.rtcp_src ! $1cb.rtcp_sink $1cb.rtcp_src ! $1.recv_rtcp_sink_0
    udpsrc address=127.0.0.1 port=$(($2 + 3)) caps=application/x-rtcp ! $1.recv_rtcp_sink_1
    $1rx.rtcp_src ! udpsink host=127.0.0.1 port=$3 sync=false async=false"
}

# shellcheck disable=SC2046 # the words are gst-launch-1.0's
run $(media alice constant:800k $((port + 10))) $(media bob constant:400k "$port") \
  $(receiver alice "$port" $((port + 11))) $(receiver bob $((port + 10)) $((port + 1)))
