// SPDX-License-Identifier: Apache-2.0
#include "graph/fake/mode.h"

#include <ATen/core/LegacyTypeDispatch.h>
#include <torch/library.h>

#include "base/internal_error.h"
#include "graph/fake/fake_call.h"
#include "graph/fake/kernels/kernels.h"
#include "graph/fake/silence.h"
#include "graph/tensors/generator_scope.h"

namespace culprit::graph::fake {
namespace {

constexpr c10::DispatchKey kKey = c10::DispatchKey::Fake;

thread_local World* current_world = nullptr;
thread_local CallListener* current_listener = nullptr;

using Arguments = c10::SmallVector<c10::IValue, 12>;

Arguments PopArguments(const c10::OperatorHandle& op, torch::jit::Stack& stack) {
  const auto first = stack.end() - static_cast<std::ptrdiff_t>(op.schema().arguments().size());
  Arguments arguments(std::make_move_iterator(first), std::make_move_iterator(stack.end()));
  stack.erase(first, stack.end());
  return arguments;
}

/// Whether there were Meta kernels for it. Without one, an operator that is made of others throws halfway.
bool ComputeOnMeta(World& world, const c10::OperatorHandle& op, const CallPlan& plan,
                   c10::ArrayRef<c10::IValue> arguments, torch::jit::Stack& stack) {
  const size_t height = stack.size();
  try {
    FakeCall(world, op, plan, StandIn::kMeta).Run(arguments, stack);
    return true;
  } catch (const c10::NotImplementedError&) {
    stack.resize(height);
    return false;
  }
}

void ComputeOnZeros(World& world, const c10::OperatorHandle& op, const CallPlan& plan,
                    c10::ArrayRef<c10::IValue> arguments, torch::jit::Stack& stack) {
  if (plan.returns_values) throw DataDependent(op);
  // What the program draws must not depend on fakes.
  const GeneratorScope keep_random_numbers;
  try {
    FakeCall(world, op, plan, StandIn::kZeros).Run(arguments, stack);
    world.CountFallback(op);
  } catch (const c10::NotImplementedError&) {
    throw;
  } catch (const c10::Error&) {
    // Zeros may be no valid input; whether the operator would fail is for its data to say.
    throw DataDependent(op);
  }
}

void ComputeSomehow(World& world, const c10::OperatorHandle& op, const CallPlan& plan,
                    c10::ArrayRef<c10::IValue> arguments, torch::jit::Stack& stack) {
  const c10::impl::ExcludeDispatchKeyGuard no_fakes(kKey);
  const at::AutoDispatchBelowADInplaceOrView no_autograd;
  const Silence silence;
  if (plan.route == CallRoute::kMeta && ComputeOnMeta(world, op, plan, arguments, stack)) return;
  ComputeOnZeros(world, op, plan, arguments, stack);
}

void Compute(const c10::OperatorHandle& op, c10::DispatchKeySet, torch::jit::Stack* stack) {
  CULPRIT_CHECK(current_world != nullptr, "no fake mode is on in this thread");
  World& world = *current_world;
  const CallPlan& plan = world.PlanOf(op);
  if (plan.route == CallRoute::kRefuse) throw DataDependent(op);
  if (plan.asks_arguments && DependsWith(op, torch::jit::last(*stack, op.schema().arguments().size()))) {
    throw DataDependent(op);
  }
  if (plan.route == CallRoute::kDecompose) {
    op.redispatchBoxed(c10::DispatchKeySet(c10::DispatchKey::CPU), stack);
    return;
  }
  const Arguments arguments = PopArguments(op, *stack);
  const size_t height = stack->size();
  if (current_listener != nullptr) current_listener->Before(op, arguments);
  ComputeSomehow(world, op, plan, arguments, *stack);
  if (current_listener != nullptr)
    current_listener->After(op, arguments, torch::jit::last(*stack, stack->size() - height));
}

/// libtorch reserves the key for fake tensors of its own. A kernel there would be preferred to the fallback,
/// and this mode would no longer see the operator.
void CheckKeyIsFree() {
  auto& dispatcher = c10::Dispatcher::singleton();
  CULPRIT_CHECK(!dispatcher.hasBackendFallbackForDispatchKey(kKey), "libtorch has a fallback for fakes");
  const std::vector<c10::OperatorName> taken = dispatcher.getAllOpNamesForDispatchKey(kKey);
  CULPRIT_CHECK(taken.empty(), "libtorch has its own kernel for fakes of {} and {} others",
                c10::toString(taken.front()), taken.size() - 1);
}

/// Once for the process, and from here rather than at its start: linkers drop what nobody names.
void RegisterOnce() {
  static torch::Library fallback = [] {
    CheckKeyIsFree();
    torch::Library library(torch::Library::IMPL, "_", kKey, __FILE_NAME__, __LINE__);
    library.fallback(torch::CppFunction::makeFromBoxedFunction<&Compute>());
    return library;
  }();
  static torch::Library kernels = RegisterKernels();
}

}  // namespace

Mode::Mode(World& world, CallListener* listener)
    : outer_((RegisterOnce(), std::exchange(current_world, &world))),
      outer_listener_(std::exchange(current_listener, listener)),
      include_(kKey) {}

Mode::~Mode() {
  current_world = outer_;
  current_listener = outer_listener_;
}

}  // namespace culprit::graph::fake
