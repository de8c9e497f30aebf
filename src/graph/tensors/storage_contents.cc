// SPDX-License-Identifier: Apache-2.0
#include "graph/tensors/storage_contents.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/rsub.h>
#include <fmt/format.h>

#include <cstring>

#include "base/text.h"

namespace culprit::graph {
namespace {

using base::Diagnostic;
using base::Result;

Result<at::Tensor> OfLength(const at::Tensor& bytes, int64_t wanted) {
  if (bytes.numel() >= wanted) return bytes.narrow(0, 0, wanted);
  return Diagnostic{
      {},
      fmt::format("the contents have {}, the storage has {}", base::Counted(bytes.numel(), "byte"), wanted)};
}

struct Maker {
  int64_t bytes;
  const LoadBytes& load;

  Result<at::Tensor> operator()(std::monostate) const { return Diagnostic{{}, "the contents are unknown"}; }

  Result<at::Tensor> operator()(const InlineNumbers& numbers) const {
    at::Tensor tensor = at::empty({static_cast<int64_t>(numbers.bytes.size())}, at::kByte);
    if (!numbers.bytes.empty()) std::memcpy(tensor.data_ptr(), numbers.bytes.data(), numbers.bytes.size());
    return OfLength(tensor, bytes);
  }

  Result<at::Tensor> operator()(const StoredBytes& stored) const {
    if (!load) return Diagnostic{{}, fmt::format("there is no store to find {} in", stored.hash)};
    return OfLength(CULPRIT_TRY(load(stored.hash, bytes)), bytes);
  }

  Result<at::Tensor> operator()(const SeededNumbers& numbers) const {
    return OfLength(Draw(numbers).view(at::kByte), bytes);
  }
};

}  // namespace

at::Tensor Draw(const SeededNumbers& numbers) {
  at::Generator generator = at::detail::createCPUGenerator(numbers.seed);
  at::Tensor tensor = at::empty({numbers.count}, numbers.dtype);
  switch (numbers.kind) {
    case SeededNumbers::Kind::kNormal:
      return tensor.normal_(0, 1, generator);
    case SeededNumbers::Kind::kUniform:
      return tensor.uniform_(0, 1, generator);
    case SeededNumbers::Kind::kPositive:
      return at::rsub(tensor.uniform_(0, 1, generator), 1);
    case SeededNumbers::Kind::kInteger:
      return tensor.random_(numbers.low, numbers.high, generator);
  }
  return tensor;
}

Result<at::Tensor> MakeContents(const StorageContents& contents, int64_t bytes, const LoadBytes& load) {
  return std::visit(Maker{bytes, load}, contents);
}

}  // namespace culprit::graph
