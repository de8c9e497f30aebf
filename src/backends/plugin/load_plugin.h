// SPDX-License-Identifier: Apache-2.0
//
// The handshake with a plug-in (include/culprit/backend.h): from the path of a shared library to a
// description that can be relied on.
#pragma once

#include <string>

#include "backend/description.h"
#include "base/result.h"
#include "culprit/backend.h"

namespace culprit::backends::plugin {

/// The library stays loaded. The error says what is wrong with it: no such file, what dlopen says, no
/// culprit_plugin, another version, a member that is missing.
base::Result<const CulpritPlugin*> LoadPlugin(const std::string& path);

/// `name` is what users write for it.
backend::Description Describe(const CulpritPlugin& plugin, std::string name);

}  // namespace culprit::backends::plugin
