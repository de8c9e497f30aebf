// SPDX-License-Identifier: Apache-2.0
#include "graph/fake/silence.h"

#include <mutex>

namespace culprit::graph::fake {
namespace {

class Nobody : public c10::WarningHandler {
 public:
  void process(const c10::Warning& /*warning*/) override {}
};

c10::WarningHandler* TheNobody() {
  static Nobody nobody;
  return &nobody;
}

/// libtorch has one switch for all threads; the last one that is silent puts it back.
class SharedSwitch {
 public:
  void Enter() {
    const std::lock_guard lock(mutex_);
    if (inside_++ > 0) return;
    before_ = c10::WarningUtils::get_warnAlways();
    c10::WarningUtils::set_warnAlways(true);
  }
  void Leave() {
    const std::lock_guard lock(mutex_);
    if (--inside_ == 0) c10::WarningUtils::set_warnAlways(before_);
  }

 private:
  std::mutex mutex_;
  int inside_ = 0;
  bool before_ = false;
};

SharedSwitch& WarnAlways() {
  static SharedSwitch warn_always;
  return warn_always;
}

}  // namespace

Silence::Silence() : guard_(TheNobody()) {
  WarnAlways().Enter();
}

Silence::~Silence() {
  WarnAlways().Leave();
}

}  // namespace culprit::graph::fake
