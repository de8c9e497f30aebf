// SPDX-License-Identifier: Apache-2.0
//
// Operators that open, map or make files, such as aten::save and aten::from_file: a model of a stranger's has
// no business there. An operator counts as one if it takes a string that is called after a file ("filename",
// "path"), so that those of other libraries (image::read_file) are found too.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "model/load_model.h"

namespace culprit::model {

/// An error with operator and line if any function or method of the model calls one.
base::Status RefuseFileOperators(const LoadedModel& model);

/// The same for code that libtorch has not seen yet. What looks like such a call is one; a call that is
/// disguised is found later by the other.
base::Status RefuseFileOperatorsIn(const std::string& name, std::string_view code);

}  // namespace culprit::model
