// SPDX-License-Identifier: Apache-2.0
#include "watch/off.h"

namespace culprit::watch {
namespace {

thread_local int depth = 0;
std::mutex check_mutex;

}  // namespace

Off::Off() {
  ++depth;
}

Off::~Off() {
  --depth;
}

bool IsOff() {
  return depth > 0;
}

CheckScope::CheckScope() : alone_(check_mutex) {}

}  // namespace culprit::watch
