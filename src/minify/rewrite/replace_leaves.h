// SPDX-License-Identifier: Apache-2.0
//
// A program with fewer placeholders and tensor constants: something else takes their place, or nothing does.
#pragma once

#include <map>
#include <optional>

#include "base/result.h"
#include "minify/program/program.h"

namespace culprit::minify {

/// By placeholder or constant: an argument of the same graph, be it a number or an earlier placeholder;
/// nothing for what nobody uses.
using Replacements = std::map<graph::ValueId, std::optional<graph::Argument>>;

/// Refused if there are none.
base::Result<Program> ReplaceLeaves(const Program& program, const Replacements& replacements);

/// Refused if there are none.
base::Result<Program> DropUnusedInputs(const Program& program);

/// Without nodes, constants and inputs that nothing needs; the same program if there are none.
Program WithoutUnused(Program program);

}  // namespace culprit::minify
