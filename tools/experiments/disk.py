# SPDX-License-Identifier: LGPL-2.1-or-later
"""Files that others may be reading or writing at the same time."""
import os
import pathlib
import secrets

from . import Refusal


def write(path, text, besides=''):
    """@path with that text as a whole, or with what was there before.  @besides goes on with
    the sentence that says why not."""
    path = pathlib.Path(path)
    # A name of its own: of two campaigns that write the same, either's is whole.
    part = path.with_name(f'{path.name}.{secrets.token_hex(4)}.part')
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            with part.open('x', encoding='utf-8') as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            part.replace(path)
        except BaseException:
            part.unlink(missing_ok=True)
            raise
    except OSError as error:
        raise Refusal(f'{path} cannot be written: {error.strerror}{besides}') from None
