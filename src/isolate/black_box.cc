// SPDX-License-Identifier: Apache-2.0
#include "isolate/black_box.h"

#include "isolate/task.h"

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

}  // namespace culprit::isolate
