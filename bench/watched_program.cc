// SPDX-License-Identifier: Apache-2.0
#include "bench/watched_program.h"

#include <ATen/ops/arange.h>
#include <torch/csrc/jit/api/compilation_unit.h>
#include <torch/csrc/jit/frontend/resolver.h>
#include <torch/csrc/jit/serialization/import_source.h>

#include <map>

#include "backends/table.h"
#include "base/internal_error.h"
#include "bench/loaded_call.h"
#include "watch/notice/notice.h"
#include "watch/open.h"

namespace culprit::bench {
namespace {

constexpr const char* kTiny = R"(
def tiny(x):
    for i in range(5):
        y = torch.sin(x)
        y = torch.mul(y, 0.5)
        y = torch.add(y, x)
        x = torch.relu(y)
    return x

def tiny_writing(x):
    for i in range(5):
        y = torch.sin(x)
        y = torch.mul(y, 0.5)
        y = torch.add(y, x)
        x.copy_(torch.relu(y))
    return torch.relu(x)
)";

template <typename T>
T Expect(base::Result<T> result) {
  CULPRIT_CHECK(result.ok(), "{}", result.error().Render());
  return *std::move(result);
}

ProgramCall Tiny(const std::string& name) {
  static torch::jit::CompilationUnit& unit = *new torch::jit::CompilationUnit;
  if (unit.find_function(name) == nullptr)
    unit.define(std::nullopt, kTiny, torch::jit::nativeResolver(), nullptr);
  return {&unit.get_function(name), {at::arange(4, at::kFloat)}};
}

}  // namespace

ProgramCall FindProgram(const std::string& name) {
  if (name.starts_with("tiny")) return Tiny(name);
  static auto& loaded = *new std::map<std::string, LoadedCall>;
  const auto known = loaded.find(name);
  const LoadedCall& call =
      known != loaded.end() ? known->second : loaded.emplace(name, LoadArchive(name)).first->second;
  return {LoadedCall::EntryOf(call.module).function, call.ArgumentsFor(call.module)};
}

CapturedProgram::CapturedProgram(const ProgramCall& call, std::shared_ptr<backend::Backend> compiler,
                                 bool is_watched)
    : call_(call), graph_inputs_(std::make_shared<backend::Values>()), is_watched_(is_watched) {
  capture::Options options;
  options.parameters = compiler->parameters();
  options.name = call.function->name();
  options.fullgraph = true;
  options.compile = [compiler, inputs = graph_inputs_](const capture::Segment& segment,
                                                       const backend::Values& given) {
    *inputs = given;
    return std::shared_ptr<backend::Compiled>(compiler->Compile(segment.graph, given));
  };
  program_ = std::make_unique<capture::CapturedProgram>(*call.function, std::move(options));
}

CapturedProgram CapturedProgram::Unwatched(const ProgramCall& call, const std::string& backend) {
  return {call, Expect(backends::Open(Expect(backend::ParseSpec(backend)))), false};
}

CapturedProgram CapturedProgram::Watched(const ProgramCall& call, const std::string& backend,
                                         const base::Settings& settings) {
  const auto warn = [](const std::string& text) { CULPRIT_CHECK(false, "{}", text); };
  return {call, Expect(watch::Open(backend, settings, {.warn = warn})).backend, true};
}

c10::IValue CapturedProgram::Call() {
  if (!is_watched_) return program_->Call(call_.arguments);
  watch::ProgramCall call;
  try {
    return program_->Call(call_.arguments);
  } catch (...) {
    call.Rethrow();
  }
}

}  // namespace culprit::bench
