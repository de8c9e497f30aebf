// SPDX-License-Identifier: Apache-2.0
//
// The memory that a program shares between its tensors, for a graph in which nothing is written. A storage
// has a base, the tensor that it was made for, and views of it. A write changes the base and makes all views
// out of date; one that is wanted again is made again from what it is a view of.
//
//   x = relu(a)           base                     current: relu
//   y = x.select(0, 1)    view of x by select      current: select
//   y.add_(1)             x and y are written      current: select_scatter(relu, add), add
//
// Tensors are told apart by where they lie, since autograd makes new objects of them as it likes. What is
// current lies as the program's own does, so that operators compute the same bits from it.
#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/core/stack.h>

#include <optional>
#include <unordered_map>
#include <vector>

#include "autograd/functional/traced_graph.h"

namespace culprit::autograd {

/// What was written into a storage; silently is what neither a schema nor a version tells.
enum class Written : uint8_t { kNot, kSilently, kOpenly };

class Memory {
 public:
  explicit Memory(TracedGraph& graph) : graph_(graph) {}

  /// A tensor that the program begins with.
  void AddInput(const at::Tensor& fake, const at::Tensor& current);

  /// A result of a call that writes nothing: the base of a new storage, or a view of one of the arguments.
  void Define(const at::Tensor& result, const at::Tensor& current, const graph::Operator& op,
              c10::ArrayRef<c10::IValue> arguments, std::optional<size_t> element);

  /// What stands for the program's tensor now; what is no fake stands for itself.
  at::Tensor Current(const at::Tensor& fake);
  /// Whether it is there already.
  bool IsCurrent(const at::Tensor& fake) const;
  c10::IValue Current(const c10::IValue& value);

  void Write(const at::Tensor& fake, const at::Tensor& value, Written how);
  Written WrittenInto(const at::Tensor& fake) const;

 private:
  struct View {
    /// The position among the tensors of its storage.
    size_t parent = 0;
    const graph::Operator* op = nullptr;
    torch::jit::Stack arguments;
    size_t parent_argument = 0;
    /// Of an operator that returns a list.
    std::optional<size_t> element;
  };
  struct Tensor {
    /// Lies where the program's tensor does.
    at::Tensor place;
    at::Tensor current;
    /// It is current if this is the storage's version.
    uint64_t version = 0;
    std::optional<View> view;
  };
  struct Storage {
    std::vector<Tensor> tensors;
    uint64_t version = 0;
    size_t bases = 0;
    /// Where the base begins in it differs from call to call.
    bool is_of_input = false;
    Written written = Written::kNot;
  };

  Storage& Begin(const at::Tensor& fake, const at::Tensor& current);
  Storage* Find(const at::Tensor& fake);
  const Storage* Find(const at::Tensor& fake) const;
  static std::optional<size_t> IndexOf(const Storage& storage, const at::Tensor& fake);
  std::optional<View> ViewFrom(const Storage& storage, const graph::Operator& op,
                               c10::ArrayRef<c10::IValue> arguments, std::optional<size_t> element) const;
  const at::Tensor& Refresh(Storage& storage, size_t index);
  at::Tensor MakeAgain(Storage& storage, const Tensor& tensor);
  void WriteAt(Storage& storage, size_t index, at::Tensor value);
  at::Tensor PutInto(Storage& storage, size_t whole, size_t part, const at::Tensor& value);
  at::Tensor PutByStrides(Storage& storage, size_t whole, const at::Tensor& part_place,
                          const at::Tensor& value);
  /// The operator that puts a value into such a view; nothing if there is none.
  static const char* ScatterFor(const View& view);

  TracedGraph& graph_;
  /// The places keep them alive.
  std::unordered_map<const c10::StorageImpl*, Storage> storages_;
};

/// as_strided counts from the beginning of the memory: throws Untraceable if that is elsewhere for what
/// stands for its argument now.
void RefuseOtherOffset(const graph::Operator& op, const c10::IValue& argument, const c10::IValue& current);

/// It fills its memory, in whatever order.
bool IsDense(const at::Tensor& tensor);

/// A fake on the same memory that autograd knows nothing of, and that stays where it is.
at::Tensor TwinOf(const at::Tensor& fake);

}  // namespace culprit::autograd
