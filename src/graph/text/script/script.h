// SPDX-License-Identifier: Apache-2.0
//
// A script: a graph in the text form of PyTorch's after-AOT repro scripts, and what the file says about its
// inputs.
//
//   class Repro(torch.nn.Module):
//       def __init__(self):
//           super().__init__()
//           self.register_buffer('_tensor_constant0', torch.tensor(2.0))
//
//       def forward(self, arg0_1, arg1_1):
//           add = torch.ops.aten.add.Tensor(arg0_1, arg1_1)
//           return (add,)
//
//   def load_args(reader):
//       buf0 = reader.storage(None, 1024)
//       reader.tensor(buf0, (16, 16), is_leaf=True)  # arg0_1
//       ...
//   load_args._version = 0
//
// What the dialect has no words for stands in attributes of the class (graph/text/script/class_attributes.h).
// Reading executes nothing; everything else in a file is skipped. PrintScript and ReadScript are inverse to
// each other, bit for bit.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "graph/ir/graph.h"
#include "graph/tensors/input_spec.h"

namespace culprit::graph::text {

/// A tensor constant whose data a store should have.
struct MissingConstant {
  std::string name;
  base::Diagnostic reason;
};

struct Script {
  Graph graph;
  /// Missing when the file has neither load_args nor args.
  std::optional<InputSpecs> inputs;
  /// The file that has them instead, as the script names it.
  std::string inputs_file = {};
  /// For the constants of the graph, in order, where their data came from; empty, or monostate, if it was
  /// written out.
  std::vector<StorageContents> constant_contents = {};
  /// Text that the file gives to the name `culprit`: settings that belong to the graph.
  std::optional<std::string> header = std::nullopt;
  /// Tensor constants whose data the file does not hold; they were filled with seeded random numbers.
  std::vector<std::string> random_constants = {};
  /// They hold zeros: such a graph can be printed, but must not be run.
  std::vector<MissingConstant> missing_constants = {};
  /// For every node the line of the file that it comes from; empty for a graph that was not read.
  std::vector<uint32_t> node_lines = {};
  /// What was odd but did not stop the reading.
  std::vector<base::Diagnostic> warnings = {};
};

struct ReadOptions {
  /// Which of several scripts in one file, from 1; without it a file with several is an error that lists
  /// them.
  std::optional<size_t> which;
  size_t max_source_bytes = size_t{1} << 28;
  /// For tensor constants whose data has to be invented.
  size_t max_constant_bytes = size_t{4} << 30;
  /// The graph is meant for the CPU: operators that libtorch has only for CUDA are translated.
  bool for_cpu = false;
  /// For constants whose data is in a store; without it they are missing.
  LoadBytes load = nullptr;
  /// Tensor constants that the text does not hold, by the name of the attribute.
  std::map<std::string, at::Tensor> constants = {};
};

base::Result<Script> ReadScript(std::string file_name, std::string_view text,
                                const ReadOptions& options = {});

/// Text around the parts of a script, for Python and people; ReadScript passes it over.
struct ScriptFrame {
  /// Comments and imports at the top.
  std::string opening;
  /// Functions that __init__ and load_args call.
  std::string definitions;
  /// The main part at the end.
  std::string main;
};

/// The text of a whole file that ReadScript reads and Python with PyTorch runs. Fails, by name, on a constant
/// that cannot be written (quantised, not on the CPU).
base::Result<std::string> PrintScript(const Script& script, const ScriptFrame& frame = {});

/// Only the class. `contents` as in Script::constant_contents.
base::Result<std::string> PrintGraph(const Graph& graph, const std::vector<StorageContents>& contents = {});

}  // namespace culprit::graph::text
