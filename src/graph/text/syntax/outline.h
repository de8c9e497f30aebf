// SPDX-License-Identifier: Apache-2.0
//
// The outline of a file: where its scripts are and where their parts begin. Everything else (imports,
// configuration, environment lines, guarded blocks, functions nobody needs) is passed over, whatever it says.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "graph/text/syntax/source.h"

namespace culprit::graph::text {

struct ScriptOutline {
  /// Offset of the class (or of a forward function that stands alone).
  size_t begin = 0;
  std::string_view class_name;
  /// Offsets of the lines where these parts begin; forward always exists.
  std::optional<size_t> init;
  size_t forward = 0;
  std::optional<size_t> graph_name;
  std::optional<size_t> placeholder_kinds;
  std::optional<size_t> placeholder_symbols;
  std::optional<size_t> load_args;
  std::optional<size_t> load_args_version;
  /// What scripts of 2.0 have in place of load_args: calls of a reader at the top level, and the list `args`.
  std::optional<size_t> reader_calls;
  std::optional<size_t> args_list;
  /// `culprit = '...'` in front of the class.
  std::optional<size_t> header;
  /// The X in every self.X of forward, in order of appearance; also X.Y, of a module within a module.
  std::vector<std::string_view> attributes_used;
  /// Whether forward calls operators (torch.ops.) and whether it calls modules (self.X(...), torch.nn.): a
  /// graph does the first only, a model in Python the second.
  bool calls_operators = false;
  bool calls_modules = false;
  /// exported_program = torch.export.load('...'): that file has the inputs.
  std::optional<size_t> exported_program;
  /// Integers that the file defines by name (s0 = 4).
  std::map<std::string, int64_t, std::less<>> symbols;
};

/// If some of several classes with a forward are graphs, the others are none: models that somebody has
/// pasted.
base::Result<std::vector<ScriptOutline>> FindScripts(const Source& source);

}  // namespace culprit::graph::text
