# SPDX-License-Identifier: Apache-2.0
"""The Python side of Culprit, which finds out why a tensor compiler fails."""
