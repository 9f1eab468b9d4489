# SPDX-License-Identifier: LGPL-2.1-or-later
"""The pages of docs/reference and docs/settings.md, made from what the elements say of themselves."""
