// SPDX-License-Identifier: Apache-2.0
//
// Long work that deals with a file of a stranger runs in a process of its own, a fork of this one, which
// waits for it: whatever happens there, somebody is left to say where the results are and how to go on.
//
//   Ctrl-C        the worker is asked to stop, and killed if it does not within a few seconds; its results
//   are
//                 on disk either way
//   a crash       is reported, with what is on disk
//   this process  is killed: the worker goes too
#pragma once

#include <functional>
#include <string>

namespace culprit::cli {

/// `work` gives an exit code. Fork first, compute later: this process must not have run anything in parallel.
int RunSupervised(const std::function<int()>& work);

/// In the worker: whether the user wants to stop.
bool IsInterrupted();

/// In the worker: where the results are, for whoever is left.
void AnnounceRunFolder(const std::string& path);

}  // namespace culprit::cli
