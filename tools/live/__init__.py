# SPDX-License-Identifier: LGPL-2.1-or-later
"""What tools/testbed is made of: real calls and the kernel's TCP over linktun."""
