// SPDX-License-Identifier: Apache-2.0
//
// Any bytes are read as the lines of a group of tensors (store/group_text.h), with the last line that makes
// them pass as unaltered: reading must end with an error, or with a group whose text they are and which can
// be rebuilt, or refused, over storages of the sizes it names.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "graph/tensors/rebuild_tensors.h"
#include "process/settings.h"
#include "store/content_hash.h"
#include "store/file_contents.h"
#include "store/group_text.h"

extern "C" int LLVMFuzzerInitialize(int* /*argc*/, char*** /*argv*/) {
  culprit::process::ApplySettings();
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace culprit::store;  // NOLINT
  std::string text = "culprit tensors 1\n";
  text.append(reinterpret_cast<const char*>(data), size);
  text += "end " + ContentHash::Of(std::as_bytes(std::span(text))).ToString() + "\n";
  const culprit::base::Result<culprit::graph::TensorGroup> group = ParseGroup("fuzz", text);
  if (!group.ok()) return 0;
  if (PrintGroup(*group) != text) {
    std::fprintf(stderr, "a group changed when it was read and printed\n");
    std::abort();
  }
  constexpr int64_t kLargestStorage = 1 << 16;
  std::vector<c10::Storage> contents;
  for (const culprit::graph::StorageSpec& storage : group->storages) {
    if (storage.bytes > kLargestStorage) return 0;
    contents.push_back(*AllocateStorage(storage.bytes));
    for (std::byte& byte : BytesOf(contents.back())) byte = std::byte{0};
  }
  (void)culprit::graph::RebuildTensors(*group, contents);
  return 0;
}
