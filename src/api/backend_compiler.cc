// SPDX-License-Identifier: Apache-2.0
#include "api/backend_compiler.h"

#include <stdexcept>

#include "capture/segment_text.h"
#include "check/clone_inputs.h"
#include "graph/own_constants.h"
#include "watch/warning.h"

namespace culprit::api {
namespace {

/// One call at a time.
class Serialized : public backend::Compiled {
 public:
  explicit Serialized(std::unique_ptr<backend::Compiled> compiled) : compiled_(std::move(compiled)) {}

  backend::Values Call(backend::Values& inputs) override {
    const std::lock_guard lock(mutex_);
    return compiled_->Call(inputs);
  }
  backend::Values CallReporting(backend::Values& inputs,
                                std::optional<graph::Interruption>& interruption) override {
    const std::lock_guard lock(mutex_);
    return compiled_->CallReporting(inputs, interruption);
  }
  bool is_thread_safe() const override { return true; }

 private:
  std::unique_ptr<backend::Compiled> compiled_;
  std::mutex mutex_;
};

watch::CapturedGraph Describe(const capture::Segment& segment, const backend::Values& inputs) {
  return {.graph = capture::WithModelLines(segment),
          .inputs = inputs,
          .conditions = capture::ConditionsOf(segment),
          .capture_seconds = segment.capture_seconds,
          .guard_seconds = segment.guard_seconds};
}

}  // namespace

std::shared_ptr<backend::Compiled> BackendCompiler::Compile(const capture::Segment& segment,
                                                            const backend::Values& inputs) {
  const std::lock_guard lock(mutex_);
  if (opened_.debug) opened_.debug->Begin([&] { return Describe(segment, inputs); });
  std::unique_ptr<backend::Compiled> compiled =
      opened_.backend->Compile(graph::WithOwnConstants(segment.graph), check::CloneInputs(inputs));
  if (compiled->is_thread_safe()) return compiled;
  return std::make_shared<Serialized>(std::move(compiled));
}

std::shared_ptr<BackendCompiler> OpenCompiler(const std::string& backend, const base::Settings& settings,
                                              const std::function<void(const std::string&)>& log,
                                              const std::shared_ptr<Agreement>& ranks) {
  watch::OpenOptions options = {.log = log, .warn = watch::WarnNow};
  if (ranks)
    options.rank =
        watch::Rank{ranks->rank(), ranks->size(), [ranks](const std::string& text) { ranks->Tell(text); }};
  base::Result<watch::OpenedBackend> opened = watch::Open(backend, settings, options);
  if (!opened.ok()) throw std::invalid_argument(opened.error().Render());
  return std::make_shared<BackendCompiler>(*std::move(opened));
}

}  // namespace culprit::api
