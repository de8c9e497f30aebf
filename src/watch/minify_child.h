// SPDX-License-Identifier: Apache-2.0
//
// Makes a repro smaller while the program goes on: `culprit minify` in a process of its own, which gets
// nothing of this one but its environment without the settings that watch programs. What it prints is in
// minify.log beside the repro.
#pragma once

#include <functional>
#include <string>

#include "base/settings.h"

namespace culprit::watch {

/// Returns at once. `warn` hears, now, that the command cannot be started.
void MinifyInChild(const base::Settings& settings, const std::string& repro,
                   const std::function<void(const std::string&)>& warn);

}  // namespace culprit::watch
