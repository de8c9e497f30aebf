// SPDX-License-Identifier: Apache-2.0
#include "isolate/query/black_box.h"

#include <algorithm>

#include "isolate/query/task.h"

namespace culprit::isolate {
namespace {

BlackBox* own_black_box = nullptr;

}  // namespace

BlackBox* OwnBlackBox() {
  return own_black_box;
}

void SetOwnBlackBox(BlackBox* box) {
  own_black_box = box;
}

void AnnouncePhase(std::string_view phase) {
  if (own_black_box != nullptr) own_black_box->phase.Set(phase);
}

void AnnounceYardstick(std::chrono::nanoseconds took) {
  if (own_black_box == nullptr || own_black_box->yardstick.load() != 0) return;
  own_black_box->yardstick.store(std::max<int64_t>(took.count(), 1));
}

}  // namespace culprit::isolate
