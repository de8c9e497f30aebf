// SPDX-License-Identifier: Apache-2.0
//
// A repro from a stranger names its compiler. Built-in compilers with harmless options are used without a
// question. A plug-in is code of somebody else, and an option such as `cache_folder` leads to such code:
// these are used only if the user says so.
#pragma once

#include "backend/spec.h"
#include "base/result.h"

namespace culprit::backends {

/// An error that says what the file asks for and what to type, unless the backend needs no word of the user.
/// Loads nothing. An unknown name or option passes: opening the backend reports it.
base::Status CheckFromFile(const backend::Spec& spec);

}  // namespace culprit::backends
