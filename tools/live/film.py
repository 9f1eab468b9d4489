# SPDX-License-Identifier: LGPL-2.1-or-later
"""The film of the tables: what rtpcall's demo plays; else its test picture."""
import pathlib
import shutil
import subprocess
import sys

FILM = '/usr/lib/python3/dist-packages/imageio/resources/images/cockatoo.mp4'
SIZE = 640, 480
MADE = 'film.mkv'       # 129 MB


def path():
    return FILM if pathlib.Path(FILM).is_file() else 'test'


def name():
    return pathlib.Path(path()).name


def small(folder):
    """The same pictures, decoded and scaled once, or the film itself.  Both ends of each call would
    do that, and it takes more of a processor than the call."""
    made = folder / MADE
    if made.is_file():
        return str(made)
    if path() == 'test':
        return path()
    width, height = SIZE
    done = subprocess.run([
        shutil.which('gst-launch-1.0') or 'false', '-q', 'filesrc', f'location={path()}', '!', 'decodebin', '!',
        'aspectratiocrop', f'aspect-ratio={width}/{height}', '!', 'videoscale',
        'add-borders=false', '!', 'videoconvert', '!',
        f'video/x-raw,format=I420,width={width},height={height},pixel-aspect-ratio=1/1', '!',
        'matroskamux', '!', 'filesink', f'location={made}'], capture_output=True, check=False)
    if done.returncode:
        made.unlink(missing_ok=True)
        print('the film could not be decoded once (gst-launch-1.0), so both ends of each call do it: '
              'make fewer runs at a time', file=sys.stderr)
        return path()
    return str(made)


def forget(folder):
    (folder / MADE).unlink(missing_ok=True)
