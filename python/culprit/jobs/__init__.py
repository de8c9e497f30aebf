# SPDX-License-Identifier: Apache-2.0
"""What a program or a notebook asks for by itself: a hunt, a smaller repro, an explanation.

    hunt.py, minify.py, explain.py     the jobs, one function each
    recording.py                       the graphs of a model, written down with their inputs instead of compiled
    running.py                         a run of a model that leaves no trace in it
    command.py                         `culprit` in a process of its own
"""
