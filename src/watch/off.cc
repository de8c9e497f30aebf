// SPDX-License-Identifier: Apache-2.0
#include "watch/off.h"

namespace culprit::watch {
namespace {

thread_local int depth = 0;
thread_local int open_checks = 0;
// A watched check may meet another one further down.
std::recursive_mutex check_mutex;

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

CheckScope::CheckScope(bool is_watched) : alone_(check_mutex) {
  if (!is_watched) off_.emplace();
  ++open_checks;
}

CheckScope::~CheckScope() {
  --open_checks;
}

bool IsInCheck() {
  return open_checks > 0;
}

}  // namespace culprit::watch
