// SPDX-License-Identifier: Apache-2.0
//
// Tensors on disk. A store is a folder:
//
//   storages/<32 digits>   the bytes of a storage and nothing else, so that anything can map or read them;
//                          the name is their hash (content_hash.h), equal contents are there once
//   storages/<40 digits>   a storage that PyTorch's own content store wrote (torch_storage.h); only read
//   tensors/<name>         which tensors lie how on which storages (group_text.h)
//
// Any number of threads and processes may write and read the same store at once. Files appear complete and
// are never changed afterwards; a storage whose file was altered from outside is replaced when its contents
// are written again. Nothing in a store is ever executed, and nothing in it makes a reader allocate more than
// the files are large or the caller allows.
#pragma once

#include <ATen/core/Tensor.h>

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "graph/tensors/tensor_group.h"
#include "store/content_hash.h"
#include "store/file_contents.h"

namespace culprit::store {

struct ReadOptions {
  Access access = Access::kMap;
  /// Compare the contents with their hash. Costs one pass over the memory.
  bool verify = true;
  /// For all storages of a group together.
  int64_t max_bytes = int64_t{64} << 30;
};

class Store {
 public:
  static base::Result<Store> Open(const std::string& path);
  /// Makes the folders that are missing, and removes what dead writers left.
  static base::Result<Store> Create(const std::string& path);

  const std::string& path() const { return path_; }

  base::Result<ContentHash> WriteStorage(std::span<const std::byte> contents) const;
  bool HasStorage(const std::string& hash) const;
  /// `hash` as StorageSpec has it; the storage must have exactly so many bytes.
  base::Result<StoredStorage> ReadStorage(const std::string& hash, int64_t bytes,
                                          const ReadOptions& options = {}) const;

  /// Writes the storages of the tensors, but no file in tensors/: for callers that keep the group themselves.
  base::Result<graph::TensorGroup> WriteContents(const std::vector<at::Tensor>& tensors) const;
  /// Every call makes new memory, shared only where the group says so.
  base::Result<std::vector<at::Tensor>> ReadContents(const graph::TensorGroup& group,
                                                     const ReadOptions& options = {}) const;

  /// A name consists of letters, digits and "_-." and does not begin with a point. One that exists is
  /// replaced.
  base::Status WriteTensors(const std::string& name, const std::vector<at::Tensor>& tensors) const;
  base::Result<std::vector<at::Tensor>> ReadTensors(const std::string& name,
                                                    const ReadOptions& options = {}) const;
  base::Status WriteTensor(const std::string& name, const at::Tensor& tensor) const;
  /// Of a name that holds exactly one tensor.
  base::Result<at::Tensor> ReadTensor(const std::string& name, const ReadOptions& options = {}) const;

  /// What stands in tensors/<name>.
  base::Result<graph::TensorGroup> ReadGroup(const std::string& name) const;

 private:
  Store(std::string path, files::Folder storages) : path_(std::move(path)), storages_(std::move(storages)) {}

  std::string TensorsPath() const { return path_ + "/tensors"; }
  base::Result<c10::Storage> ReadSpec(const graph::StorageSpec& spec, const ReadOptions& options) const;

  std::string path_;
  files::Folder storages_;
};

}  // namespace culprit::store
