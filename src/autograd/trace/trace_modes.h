// SPDX-License-Identifier: Apache-2.0
//
// The settings of libtorch that decide what a trace sees. A backward pass that is traced later than its
// forward pass needs those that it had.
#pragma once

#include <ATen/core/grad_mode.h>
#include <c10/core/ScalarType.h>
#include <c10/core/impl/LocalDispatchKeySet.h>

namespace culprit::autograd {

struct TraceModes {
  bool grad = false;
  bool autocast = false;
  c10::ScalarType autocast_dtype = c10::ScalarType::BFloat16;
  /// A weight that is used twice is cast once.
  bool autocast_cache = true;

  static TraceModes Current();
  bool operator==(const TraceModes&) const = default;
};

/// Sets them, and puts back what there was.
class TraceModesScope {
 public:
  explicit TraceModesScope(const TraceModes& modes);
  ~TraceModesScope();
  TraceModesScope(const TraceModesScope&) = delete;
  TraceModesScope& operator=(const TraceModesScope&) = delete;

 private:
  TraceModes before_;
};

/// What graphs below autograd run in: no gradients are recorded, and casts are operators of their own.
class BelowAutograd {
 public:
  BelowAutograd() = default;

 private:
  c10::AutoGradMode no_grad_{false};
  c10::impl::ExcludeDispatchKeyGuard no_autocast_{c10::autocast_dispatch_keyset};
};

}  // namespace culprit::autograd
