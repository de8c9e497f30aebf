// SPDX-License-Identifier: Apache-2.0
#include "capture/walk/walk.h"

#include <fmt/format.h>

#include "base/internal_error.h"
#include "capture/state/lazy_value.h"
#include "capture/vm/machine.h"
#include "capture/walk/keep_constants.h"
#include "capture/walk/plan_state.h"
#include "graph/tensors/generator_scope.h"
#include "graph/tensors/torch_error.h"

namespace culprit::capture {
namespace {

vm::State ShadowOf(const vm::State& start, Shadow& shadow) {
  vm::State walk;
  for (size_t i = 0; i < start.frames.size(); ++i) {
    const vm::Frame& frame = start.frames[i];
    walk.frames.push_back({frame.code, frame.pc, std::vector<c10::IValue>(frame.registers.size())});
    // Also the empty ones: a variable that is None may be something else next time.
    for (size_t k = 0; k < frame.registers.size(); ++k)
      walk.frames[i].registers[k] = MakeLazy({StatePlace::Kind::kRegister, i, k});
  }
  for (size_t i = 0; i < start.stack.size(); ++i)
    walk.stack.push_back(MakeLazy({StatePlace::Kind::kStack, 0, i}));
  for (size_t i = 0; i < start.entered.size(); ++i)
    walk.entered.push_back(shadow.Of(start.entered[i], EnteredSource(i)));
  return walk;
}

std::string PlaceText(const vm::Frame& frame) {
  return fmt::format("{} {}: {}", frame.code->name(), frame.pc, Describe(frame.next()));
}

/// Whatever an instruction throws is left to the program to throw again, or not, when it runs for real.
std::optional<Break> WalkToEnd(vm::State& walk, const vm::Machine& machine, const WalkOptions& options,
                               Sample* sample) {
  for (size_t steps = 0; !walk.has_returned(); ++steps) {
    if (options.log && sample == nullptr) options.log(PlaceText(walk.frames.back()));
    if (sample != nullptr) sample->log.Step(walk.frames.back());
    if (steps >= options.limits.instructions)
      return Break{BreakKind::kTooLong, fmt::format("{} instructions", steps), OriginOf(walk)};
    try {
      machine.Step(walk);
    } catch (const BreakRequest& request) {
      return Break{request.kind(), request.reason(), OriginOf(walk)};
    } catch (const base::InternalError&) {
      throw;
    } catch (const std::exception& error) {
      return Break{BreakKind::kFailingOperator, graph::TorchMessage(error), OriginOf(walk)};
    }
  }
  return std::nullopt;
}

/// Which tensors a place in memory was asked for does not matter: views of others say theirs.
void ExpectOffsets(std::vector<Guard>& guards) {
  for (Guard& guard : guards) {
    if (auto* like = std::get_if<TensorLike>(&guard.expected)) like->has_offset = true;
  }
}

}  // namespace

Segment Walk(const vm::State& start, vm::CodeBook& book, const WalkOptions& options, std::string name,
             Sample* sample) {
  const graph::GeneratorScope keep_random_numbers;
  vm::State walk;
  CaptureEffects effects(start, walk, options.disabled, options.limits, sample);
  walk = ShadowOf(start, effects.shadow());
  Segment segment;
  segment.name = name;
  segment.modes = Modes::Current();
  segment.end = WalkToEnd(walk, vm::Machine(book, effects), options, sample);
  segment.plan = PlanState(walk, effects);
  segment.checkpoints = effects.TakeCheckpoints();
  Recorder::Recorded recorded = effects.recorder().Finish(std::move(name));
  segment.graph = std::move(recorded.graph);
  segment.origins = std::move(recorded.origins);
  segment.inputs = std::move(recorded.inputs);
  segment.guards = effects.shadow().TakeGuards();
  if (effects.reads_offsets()) ExpectOffsets(segment.guards);
  KeepConstants(start, effects, segment, recorded.sizes);
  if (sample != nullptr) sample->sizes = std::move(recorded.sizes);
  segment.fallbacks = effects.world().fallbacks();
  segment.inlined_calls = effects.counters().inlined_calls;
  return segment;
}

}  // namespace culprit::capture
