// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string_view>

#include "compiler/pipeline/pipeline.h"

namespace culprit::compiler::pipeline {

/// A compiler whose passes can be exchanged, so that it is wrong on purpose.
class PassOwner {
 public:
  virtual ~PassOwner() = default;

  /// The pass of this name becomes what `exchange` makes of it. It is still switched, timed, verified and
  /// shown as before.
  using Exchange = std::function<Pass(Pass former)>;
  virtual void ReplacePass(std::string_view name, const Exchange& exchange) = 0;
};

}  // namespace culprit::compiler::pipeline
