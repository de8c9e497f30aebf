// SPDX-License-Identifier: Apache-2.0
//
// The effects of a program that is being captured. Operators on tensors go into the graph and are computed on
// fakes; attributes are read from the program's objects once, and writes to them are kept back until the
// graph has run. Whatever cannot be done like this asks for a break, before anything has changed.
#pragma once

#include <c10/util/hash.h>

#include <functional>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "capture/state/checkpoint.h"
#include "capture/vm/effects.h"
#include "capture/vm/state.h"
#include "capture/walk/number_calls.h"
#include "capture/walk/other_sizes.h"
#include "capture/walk/recorder.h"
#include "capture/walk/shadow.h"
#include "graph/fake/world.h"

namespace culprit::capture {

struct WalkLimits {
  size_t operators = 20'000;
  size_t instructions = 2'000'000;
  /// Values that are written down for operators that may fail: each checkpoint has all that was written.
  size_t checkpointed = 200'000;
};

class CaptureEffects : public vm::Effects {
 public:
  /// An attribute of one of the program's objects that was written.
  struct Slot {
    vm::ObjectPtr object;
    size_t slot = 0;
  };
  struct Counters {
    size_t inlined_calls = 0;
  };

  /// `real` is where the walk began, `walk` where it is.
  CaptureEffects(const vm::State& real, const vm::State& walk, const std::set<std::string>& disabled,
                 const WalkLimits& limits, Sample* sample)
      : real_(real),
        walk_(walk),
        disabled_(disabled),
        limits_(limits),
        sample_(sample),
        shadow_(world_, sample == nullptr ? OtherSizes() : sample->other),
        recorder_(shadow_),
        numbers_(walk, world_, recorder_, sample),
        entered_at_checkpoint_(real.entered) {}

  void Look(c10::IValue& value) override;
  c10::IValue Next(const c10::IValue& number) override;
  void Compare(const c10::IValue& iteration, const c10::IValue& maximum) override;
  c10::IValue ReadConstant(const vm::Code& code, size_t index) override;
  void CallOperator(const vm::Instruction& instruction, torch::jit::Stack& stack) override;
  c10::IValue GetAttribute(const vm::ObjectPtr& object, size_t slot) override;
  void SetAttribute(const vm::ObjectPtr& object, size_t slot, c10::IValue value) override;
  vm::ObjectPtr CreateObject(const c10::ClassTypePtr& type) override;
  void EnterFunction(torch::jit::Function& function) override;
  [[noreturn]] void CallNative(torch::jit::Function& function, torch::jit::Stack& stack) override;
  [[noreturn]] void Fork(const vm::Code& code, torch::jit::Stack& stack, size_t arguments) override;
  [[noreturn]] void MakeAwaitable(const std::shared_ptr<const vm::Code>& code, torch::jit::Stack& stack,
                                  size_t arguments) override;
  [[noreturn]] void Wait(torch::jit::Stack& stack) override;
  [[noreturn]] void Raise(const torch::jit::Stack& stack) override;
  [[noreturn]] void Warn(const vm::Instruction& instruction, torch::jit::Stack& stack) override;

  Shadow& shadow() { return shadow_; }
  const Shadow& shadow() const { return shadow_; }
  Recorder& recorder() { return recorder_; }
  graph::fake::World& world() { return world_; }
  const Counters& counters() const { return counters_; }

  /// Constants of the program, as fakes, whose numbers the walk has computed with.
  const std::vector<at::Tensor>& used_constants() const { return numbers_.used_constants(); }
  /// Whether the program has asked a tensor where it begins in its memory.
  bool reads_offsets() const { return reads_offsets_; }
  /// In the order in which they were first written.
  const std::vector<Slot>& written() const { return written_; }
  const c10::IValue& ValueWritten(const Slot& slot) const {
    return attributes_.at({slot.object.get(), slot.slot});
  }
  /// In the order of their nodes.
  std::vector<Checkpoint> TakeCheckpoints() { return std::move(checkpoints_); }

 private:
  using Results = torch::jit::Stack;
  /// A dense tensor that is found among the constants of a code and nowhere else.
  bool IsConstantTensor(const c10::IValue& shadow) const;
  bool IsNew(const c10::ivalue::Object* object) const { return new_.contains(object); }
  /// Nothing has changed yet when it throws.
  Results Call(const vm::Instruction& instruction, const torch::jit::Stack& arguments);
  Results Record(const vm::Instruction& instruction, const torch::jit::Stack& arguments);
  /// How many tensors an operator returns may depend on sizes.
  void NoteLengths(const vm::CalledOperator& called, const torch::jit::Stack& arguments,
                   const Results& results);
  /// Whether something may have happened since the last checkpoint.
  bool NeedsCheckpoint() const;
  void PlanCheckpoint();
  Results MakeConstant(const vm::Instruction& instruction, const torch::jit::Stack& arguments);

  const vm::State& real_;
  const vm::State& walk_;
  const std::set<std::string>& disabled_;
  const WalkLimits& limits_;
  Sample* const sample_;
  graph::fake::World world_;
  Shadow shadow_;
  Recorder recorder_;
  NumberCalls numbers_;
  Counters counters_;
  using Key = std::pair<const c10::ivalue::Object*, size_t>;
  /// As the walk sees them: what was read, or written since.
  std::unordered_map<Key, c10::IValue, c10::hash<Key>> attributes_;
  std::vector<Slot> written_;
  std::set<Key> is_written_;
  /// Objects that the walk has made; nobody else has them.
  std::map<const c10::ivalue::Object*, vm::ObjectPtr> new_;
  std::vector<Checkpoint> checkpoints_;
  /// Of all checkpoints.
  size_t checkpointed_ = 0;
  bool wrote_since_checkpoint_ = false;
  bool reads_offsets_ = false;
  std::vector<c10::IValue> entered_at_checkpoint_;
};

}  // namespace culprit::capture
