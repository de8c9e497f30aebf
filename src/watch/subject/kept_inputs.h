// SPDX-License-Identifier: Apache-2.0
//
// The inputs of a call as they are before it, for whoever wants to know afterwards. Those that the graph
// writes into are copied, with everything that shares their memory; the others are held, and their versions
// tell whether they were written all the same.
#pragma once

#include <optional>
#include <vector>

#include "backend/backend.h"
#include "store/content_hash.h"

namespace culprit::watch {

/// What the memory of tensors holds, as hashes: all bytes between the first and the last element.
class MemoryHashes {
 public:
  /// Of plain tensors in main memory; others have none.
  explicit MemoryHashes(const backend::Values& values);
  /// Indices of the values whose memory holds something else now.
  std::vector<size_t> Changed() const;

 private:
  /// Nothing for those that have none. The same memory is hashed once.
  static std::vector<std::optional<store::ContentHash>> HashesOf(const backend::Values& values);

  const backend::Values& values_;
  const std::vector<std::optional<store::ContentHash>> hashes_;
};

/// Which placeholders the graph may write into.
std::vector<bool> WrittenPlaceholders(const graph::Graph& graph);

class KeptInputs {
 public:
  /// `written` has one element per input; it stays.
  KeptInputs(const backend::Values& inputs, const std::vector<bool>& written);

  struct Copied {
    size_t input = 0;
    c10::IValue original;
  };

  /// Copies of those that the graph writes into, and the others themselves.
  const backend::Values& values() const { return values_; }
  const std::vector<Copied>& copied() const { return copied_; }

  /// Those that somebody has written into although the graph does not; their numbers are not what they were.
  std::vector<size_t> Spoilt() const;

  /// Whether that would be as if nothing had happened: not if something has a history since it was written.
  bool CanBeRestored() const;
  /// Gives the inputs that the graph writes the numbers that they had. Autograd does not notice.
  void Restore() const;

 private:
  void CopyWritten(const std::vector<bool>& written);

  backend::Values values_;
  std::vector<Copied> copied_;
  /// Of the values.
  std::vector<uint32_t> versions_;
};

}  // namespace culprit::watch
