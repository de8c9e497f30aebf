# SPDX-License-Identifier: Apache-2.0
"""Live programs of torch.compile, watched. docs/python.md describes it.

Dynamo and AOTAutograd capture, the C++ watcher (culprit._culprit) does the rest: levels, numbers, repros.
"""
