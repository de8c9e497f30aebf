// SPDX-License-Identifier: Apache-2.0
//
// A backend in a live program: it gets copies of graphs and inputs, and what it makes is protected from
// threads that it may not know of.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <string>

#include "backend/backend.h"
#include "capture/segment.h"

namespace culprit::api {

class BackendCompiler {
 public:
  explicit BackendCompiler(std::unique_ptr<backend::Backend> backend) : backend_(std::move(backend)) {}

  backend::Parameters parameters() const { return backend_->parameters(); }
  /// Throws what the compiler throws.
  std::shared_ptr<backend::Compiled> Compile(const capture::Segment& segment, const backend::Values& inputs);

 private:
  std::unique_ptr<backend::Backend> backend_;
  std::mutex mutex_;
};

/// As NAME[:key=value,...]; throws std::invalid_argument if there is none. `log` hears of graphs that are not
/// compiled.
std::shared_ptr<BackendCompiler> OpenCompiler(const std::string& backend,
                                              const std::function<void(const std::string&)>& log = nullptr);

}  // namespace culprit::api
