// SPDX-License-Identifier: Apache-2.0
//
// Computing on fakes says nothing: what libtorch warns of, it says when the same operator runs on numbers.
#pragma once

#include <c10/util/Exception.h>

namespace culprit::graph::fake {

/// While it lives, warnings of this thread are dropped, and those that libtorch gives once per process count
/// as not given.
class Silence {
 public:
  Silence();
  ~Silence();
  Silence(const Silence&) = delete;
  Silence& operator=(const Silence&) = delete;

 private:
  c10::WarningUtils::WarningHandlerGuard guard_;
};

}  // namespace culprit::graph::fake
