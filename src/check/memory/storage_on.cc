// SPDX-License-Identifier: Apache-2.0
#include "check/memory/storage_on.h"

namespace culprit::check {

c10::Storage StorageOn(const c10::Storage& memory) {
  auto* owner = new c10::Storage(memory);
  const auto let_go = [](void* context) { delete static_cast<c10::Storage*>(context); };
  return {c10::Storage::use_byte_size_t(), memory.nbytes(),
          at::DataPtr(memory.mutable_data(), owner, let_go, memory.device()), nullptr, /*resizable=*/false};
}

}  // namespace culprit::check
