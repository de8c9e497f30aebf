// SPDX-License-Identifier: Apache-2.0
//
// Makes a repro smaller while the program goes on: `culprit minify` in a process that has nothing of this
// one: no descriptors, no signal handlers, not even its parent, and of the environment not what watches
// programs. What it prints is in minify.log beside the repro.
#pragma once

#include <functional>
#include <string>

namespace culprit::watch {

/// Does not wait for it. `program` is the command; `warn` hears that it cannot be started.
void MinifyInChild(const std::string& program, const std::string& repro,
                   const std::function<void(const std::string&)>& warn);

}  // namespace culprit::watch
