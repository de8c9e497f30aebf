// SPDX-License-Identifier: Apache-2.0
//
// The passes of the native compiler, in order, and the one door that each goes through: it can be switched
// off, wholly or from the n-th application on, is timed, and what it has left is verified and can be looked
// at. A pass asks before each thing it does (one constant folded, one value put into a kernel), and still
// runs when all of that is off: then values are called instead of lowered, kernels interpreted instead of
// compiled, and so on, so a graph compiles whatever is off.
//
// A pipeline is a list. Somebody who wants a wrong compiler, for tests, replaces one of the functions: a
// fault of native is a pipeline with one pass replaced, and no pass knows of it.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "backend/configuration.h"
#include "compiler/pipeline/compilation.h"

namespace culprit::compiler::pipeline {

/// Asked before each application.
using Applies = std::function<bool()>;

struct Pass {
  std::string_view name;
  std::function<void(Compilation& compilation, const Applies& applies)> run;
  /// One line, in lower case and without a full stop.
  std::string_view line;
  /// It looks at the graph alone, so what it leaves holds for all inputs.
  bool is_on_graph = false;
};

using Pipeline = std::vector<Pass>;

const Pipeline& DefaultPipeline();

/// Sees a compilation behind each pass.
class PassObserver {
 public:
  virtual ~PassObserver() = default;
  virtual void After(const Pass& pass, const Compilation& compilation, double seconds) = 0;
};

/// The passes on the graph alone, which come first. Whoever compiles for several kinds of inputs does this
/// once. Throws std::runtime_error if the graph does not have what is to be observed.
void RunOnGraph(Compilation& compilation, const Pipeline& pipeline, backend::SwitchBoard& switches,
                PassObserver* observer = nullptr);

/// The others. Throws lower::NotLowerable for a graph that cannot be compiled but can be run as it is,
/// std::runtime_error with LLVM's words, and base::InternalError if a pass leaves something that does not
/// verify.
std::unique_ptr<run::Executable> CompileForInputs(Compilation compilation, const Pipeline& pipeline,
                                                  backend::SwitchBoard& switches,
                                                  PassObserver* observer = nullptr);

/// Both.
std::unique_ptr<run::Executable> Compile(Compilation compilation, const Pipeline& pipeline,
                                         backend::SwitchBoard& switches, PassObserver* observer = nullptr);

}  // namespace culprit::compiler::pipeline
