// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/csrc/jit/api/compilation_unit.h>
#include <torch/csrc/jit/api/function_impl.h>
#include <torch/csrc/jit/frontend/resolver.h>
#include <torch/csrc/jit/ir/constants.h>

#include <memory>
#include <string>
#include <vector>

#include "capture/captured_program.h"
#include "graph/run/interpreter.h"

namespace culprit::tests {

/// A function `f` in TorchScript, captured, with graphs that run as they are.
class CapturedFunction {
 public:
  /// The last arguments in the source are these constants, and no arguments of calls.
  explicit CapturedFunction(const char* source, capture::Options options = {},
                            const std::vector<at::Tensor>& constants = {}) {
    unit_.define(std::nullopt, source, torch::jit::nativeResolver(), nullptr);
    for (size_t i = constants.size(); i > 0; --i) ReplaceLastArgument(constants[i - 1]);
    options.name = "f";
    options.compile = [](const capture::Segment& segment, const backend::Values&) {
      return std::make_shared<Eager>(segment.graph);
    };
    options.log = [this](const std::string& text) { log_.push_back(text); };
    options.warn = [this](const std::string& text) { warnings_.push_back(text); };
    program_ =
        std::make_unique<capture::CapturedProgram>(unit_.get_function(c10::QualifiedName("f")), options);
  }

  c10::IValue operator()(std::vector<c10::IValue> arguments) { return program_->Call(std::move(arguments)); }
  /// What libtorch's interpreter makes of it.
  c10::IValue AsWritten(std::vector<c10::IValue> arguments) {
    return unit_.get_function(c10::QualifiedName("f"))(std::move(arguments));
  }

  std::vector<size_t> operators() const {
    std::vector<size_t> counts;
    for (const auto& segment : program_->segments()) counts.push_back(segment->graph.nodes().size());
    return counts;
  }
  std::vector<std::string> breaks() const {
    std::vector<std::string> codes;
    for (const auto& segment : program_->segments())
      codes.emplace_back(segment->end ? capture::DescriptionOf(segment->end->kind).code : "");
    return codes;
  }
  const std::vector<std::string>& log() const { return log_; }
  const std::vector<std::string>& warnings() const { return warnings_; }
  capture::CapturedProgram& program() { return *program_; }

 private:
  class Eager : public backend::Compiled {
   public:
    explicit Eager(const graph::Graph& graph) : interpreter_(graph) {}
    backend::Values Call(backend::Values& inputs) override { return interpreter_.Run(std::move(inputs)); }

   private:
    graph::Interpreter interpreter_;
  };

  void ReplaceLastArgument(const at::Tensor& constant) {
    torch::jit::Graph& graph =
        *torch::jit::toGraphFunction(unit_.get_function(c10::QualifiedName("f"))).graph();
    const torch::jit::WithInsertPoint beginning(*graph.nodes().begin());
    graph.inputs().back()->replaceAllUsesWith(graph.insertConstant(constant));
    graph.eraseInput(graph.inputs().size() - 1);
  }

  torch::jit::CompilationUnit unit_;
  std::unique_ptr<capture::CapturedProgram> program_;
  std::vector<std::string> log_;
  std::vector<std::string> warnings_;
};

}  // namespace culprit::tests
