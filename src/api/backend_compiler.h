// SPDX-License-Identifier: Apache-2.0
//
// A backend in a live program: it gets copies of graphs and inputs, and what it makes is protected from
// threads that it may not know of.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <string>

#include "api/agreement.h"
#include "backend/backend.h"
#include "base/settings.h"
#include "capture/segment/segment.h"
#include "watch/open.h"

namespace culprit::api {

class BackendCompiler {
 public:
  explicit BackendCompiler(watch::OpenedBackend opened) : opened_(std::move(opened)) {}

  backend::Parameters parameters() const { return opened_.backend->parameters(); }
  bool takes_symbols() const { return opened_.backend->takes_symbols(); }
  watch::WatchSession& session() const { return *opened_.session; }
  /// Throws what the compiler throws.
  std::shared_ptr<backend::Compiled> Compile(const capture::Segment& segment, const backend::Values& inputs);

 private:
  watch::OpenedBackend opened_;
  std::mutex mutex_;
};

/// `backend` as NAME[:key=value,...], or empty for that of the settings; throws std::invalid_argument if
/// there is none. `log` hears of graphs that are not compiled; other ranks hear of failures.
std::shared_ptr<BackendCompiler> OpenCompiler(const std::string& backend, const base::Settings& settings,
                                              const std::function<void(const std::string&)>& log = nullptr,
                                              const std::shared_ptr<Agreement>& ranks = nullptr);

}  // namespace culprit::api
