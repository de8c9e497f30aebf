// SPDX-License-Identifier: Apache-2.0
#include "api/backend_compiler.h"

#include <stdexcept>

#include "backend/one_at_a_time.h"
#include "capture/segment/segment_text.h"
#include "check/model/clone_inputs.h"
#include "graph/passes/own_constants.h"
#include "watch/notice/warning.h"

namespace culprit::api {
namespace {

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
  return backend::OneAtATime(opened_.backend->Compile(
      graph::WithOwnConstants(capture::WithModelLines(segment)), check::CloneInputs(inputs)));
}

std::shared_ptr<BackendCompiler> OpenCompiler(const std::string& backend, const base::Settings& settings,
                                              const std::function<void(const std::string&)>& log,
                                              const std::shared_ptr<Agreement>& ranks) {
  watch::WatchOptions options = {.log = log, .warn = watch::WarnNow};
  if (ranks)
    options.rank =
        watch::Rank{ranks->rank(), ranks->size(), [ranks](const std::string& text) { ranks->Tell(text); }};
  base::Result<watch::OpenedBackend> opened = watch::Open(backend, settings, options);
  if (!opened.ok()) throw std::invalid_argument(opened.error().Render());
  return std::make_shared<BackendCompiler>(*std::move(opened));
}

}  // namespace culprit::api
