// SPDX-License-Identifier: Apache-2.0
#include "tests/compiler/mutants/mutants.h"

#include <algorithm>

#include "base/internal_error.h"
#include "graph/ir/rebuild.h"
#include "tests/compiler/mutants/edit_kernel.h"

namespace culprit::tests {
namespace {

using compiler::loops::Body;
using compiler::loops::Combine;
using compiler::loops::Expression;
using compiler::loops::Kernel;
using compiler::loops::LoopKind;
using compiler::loops::Op;
using compiler::loops::Stage;
using compiler::loops::ValueIndex;
using compiler::pipeline::Applies;
using compiler::pipeline::Compilation;
using compiler::pipeline::Pass;
using compiler::schedule::KernelStep;

template <typename Edit>
void InKernels(Compilation& compilation, const Edit& edit) {
  for (Kernel& kernel : compilation.schedule->kernels) EditKernel(kernel, edit);
}

template <typename Edit>
void InStages(Compilation& compilation, const Edit& edit) {
  for (Kernel& kernel : compilation.schedule->kernels)
    for (Stage& stage : kernel.stages) edit(kernel, stage);
}

template <Op kFrom, Op kTo>
void Exchange(Compilation& compilation) {
  InKernels(compilation, [](Expression& expression, Body&) {
    if (expression.op != kFrom) return false;
    expression.op = kTo;
    return true;
  });
}

template <Op kOp, size_t kA = 0, size_t kB = 1>
void SwapOperands(Compilation& compilation) {
  InKernels(compilation, [](Expression& expression, Body&) {
    if (expression.op != kOp) return false;
    std::swap(expression.operands[kA], expression.operands[kB]);
    return true;
  });
}

template <Combine kFrom, Combine kTo>
void CombineOtherwise(Compilation& compilation) {
  InStages(compilation, [](Kernel&, Stage& stage) {
    if (stage.kind != LoopKind::kPointwise && stage.combine == kFrom) stage.combine = kTo;
  });
}

void WrongConstant(Compilation& compilation) {
  InKernels(compilation, [](Expression& expression, Body&) {
    if (expression.op != Op::kConstant || !compiler::loops::IsFloat(expression.type)) return false;
    expression.number = expression.number * 1.03 + 0.01;
    return true;
  });
}

// From the element before the first one of a buffer it reads what lies before that.
void IndexOffByOne(Compilation& compilation) {
  InKernels(compilation, [](Expression& expression, Body& body) {
    if (expression.op != Op::kLoad || body[expression.operands[0]].op == Op::kConstant) return false;
    const auto one = body.Constant(1, compiler::loops::Type::Long);
    const auto before = body.Apply(Op::kSub, {expression.operands[0], one});
    expression.operands[0] = body.Apply(Op::kMax, {before, body.Constant(0, compiler::loops::Type::Long)});
    return true;
  });
}

void StrideIsForgotten(Compilation& compilation) {
  InKernels(compilation, [](Expression& expression, Body& body) {
    if (expression.op != Op::kLoad) return false;
    const Expression place = body[expression.operands[0]];
    if (place.op != Op::kMul) return false;
    expression.operands[0] = place.operands[0];
    return true;
  });
}

// What is loaded behind a mask is 0, whatever the mask says.
void MaskIsAlwaysFalse(Compilation& compilation) {
  InKernels(compilation, [](Expression& expression, Body&) {
    if (expression.op != Op::kLoad || !expression.masked) return false;
    Expression zero{.op = Op::kConstant, .type = expression.type};
    expression = zero;
    return true;
  });
}

void LastIterationIsMissing(Compilation& compilation) {
  InStages(compilation, [](Kernel& kernel, Stage& stage) {
    if (stage.kind != LoopKind::kReduction || stage.variables.empty()) return;
    auto& extent = kernel.extents[stage.variables.back()];
    const Expression of = kernel.body[extent];
    if (of.op == Op::kConstant && of.integer > 1) extent = kernel.body.Constant(of.integer - 1, of.type);
  });
}

// The numbers of the first outer iteration, again and again.
void ReducesAlongTheWrongAxis(Compilation& compilation) {
  for (Kernel& kernel : compilation.schedule->kernels) {
    if (kernel.outer == 0 || kernel.lanes != compiler::loops::Lanes::kInner) continue;
    EditKernel(kernel, [](Expression& expression, Body&) {
      if (expression.op != Op::kIndex || expression.integer != 0) return false;
      expression = Expression{.op = Op::kConstant, .type = compiler::loops::Type::Long};
      return true;
    });
  }
}

void LastStoreIsMissing(Compilation& compilation) {
  InStages(compilation, [](Kernel&, Stage& stage) {
    if (stage.stores.size() > 1) stage.stores.pop_back();
  });
}

void StoresTheValueOfTheFirst(Compilation& compilation) {
  InStages(compilation, [](Kernel&, Stage& stage) {
    for (auto& store : stage.stores)
      if (stage.kind == LoopKind::kPointwise) store.value = stage.stores[0].value;
  });
}

void NumbersAreStale(Compilation& compilation) {
  for (Kernel& kernel : compilation.schedule->kernels)
    for (int64_t& number : kernel.numbers) number = std::max<int64_t>(1, number - 1);
}

void StepsInTheWrongOrder(Compilation& compilation) {
  auto& steps = compilation.schedule->steps;
  for (size_t i = 0; i + 1 < steps.size(); i += 2) std::swap(steps[i], steps[i + 1]);
}

void LastPlaceIsRefused(Compilation& compilation) {
  for (auto& step : compilation.schedule->steps)
    if (auto* check = std::get_if<compiler::schedule::CheckStep>(&step))
      for (auto& each : check->preconditions) --each.end;
}

bool LieAlike(const compiler::loops::Value& a, const compiler::loops::Value& b) {
  return a.dtype == b.dtype && a.sizes == b.sizes && a.strides == b.strides;
}

/// Takes memory that `may_take` allows.
template <typename MayTake>
void TakeMemory(Compilation& compilation, const MayTake& may_take) {
  for (const auto& step : compilation.schedule->steps) {
    const auto* kernel = std::get_if<KernelStep>(&step);
    if (kernel == nullptr) continue;
    const auto& buffers = compilation.schedule->kernels[kernel->kernel].buffers;
    for (size_t to = 0; to < buffers.size(); ++to) {
      for (size_t from = 0; from < buffers.size() && buffers[to].is_written; ++from) {
        const ValueIndex old = kernel->buffers[from];
        if (buffers[from].is_written || !may_take(old)) continue;
        if (LieAlike((*compilation.program)[old], (*compilation.program)[kernel->buffers[to]]))
          compilation.memory->in_place[Index(kernel->buffers[to])] = old;
      }
    }
  }
}

void WritesIntoInputs(Compilation& compilation) {
  TakeMemory(compilation, [&](ValueIndex value) { return (*compilation.program)[value].is_given(); });
}

void TakesMemoryThatIsStillNeeded(Compilation& compilation) {
  TakeMemory(compilation, [&](ValueIndex value) { return !(*compilation.program)[value].is_given(); });
}

void FreesTooEarly(Compilation& compilation) {
  auto& freed = compilation.memory->freed_after;
  for (size_t i = 1; i < freed.size(); ++i) std::swap(freed[i - 1], freed[i]);
}

/// Calls that `are_same` become the first of them.
template <typename AreSame>
void MergeCalls(Compilation& compilation, const AreSame& are_same) {
  const graph::Graph& source = *compilation.graph;
  graph::Rebuild rebuild(source);
  rebuild.CopyPlaceholders();
  rebuild.CopyConstants();
  std::vector<const graph::Node*> kept;
  for (const graph::Node& node : source.nodes()) {
    const auto former = std::ranges::find_if(
        kept, [&](const graph::Node* other) { return other->op == node.op && are_same(*other, node); });
    if (former != kept.end()) {
      for (size_t i = 0; i < node.results.size(); ++i)
        rebuild.Replace(node.results[i], rebuild.Map(graph::Argument((*former)->results[i])));
      continue;
    }
    rebuild.CopyNode(node);
    kept.push_back(&node);
  }
  rebuild.CopyOutputs();
  compilation.graph = std::make_shared<graph::Graph>(std::move(rebuild).Take());
}

void MergesRandomCalls(Compilation& compilation) {
  MergeCalls(compilation, [](const graph::Node& a, const graph::Node& b) {
    return a.op->is_random() && a.arguments == b.arguments;
  });
}

void MergesCallsWithOtherNumbers(Compilation& compilation) {
  MergeCalls(compilation, [](const graph::Node& a, const graph::Node& b) {
    return !a.op->is_random() && !a.arguments.empty() && a.arguments[0].is_value() &&
           a.arguments[0] == b.arguments[0] && a.arguments.size() == b.arguments.size();
  });
}

void ConstantsAreScaled(Compilation& compilation) {
  graph::Rebuild rebuild(*compilation.graph);
  rebuild.CopyPlaceholders();
  for (const graph::TensorConstant& constant : compilation.graph->constants()) {
    const std::string& name = compilation.graph->value(constant.value).name;
    const bool is_float = constant.tensor.is_floating_point();
    rebuild.Replace(constant.value,
                    rebuild.graph().AddConstant(name, is_float ? constant.tensor.mul(1.5) : constant.tensor));
  }
  for (const graph::Node& node : compilation.graph->nodes()) rebuild.CopyNode(node);
  rebuild.CopyOutputs();
  compilation.graph = std::make_shared<graph::Graph>(std::move(rebuild).Take());
}

/// Changes the loops of a program; `edit` says whether it has.
template <typename Edit>
void InLoops(Compilation& compilation, const Edit& edit) {
  auto program = std::make_shared<compiler::loops::LoopProgram>(*compilation.program);
  for (compiler::loops::Value& value : program->values) {
    if (!value.loop) continue;
    compiler::loops::Loop loop = *value.loop;
    if (edit(value, loop)) value.loop = std::make_shared<const compiler::loops::Loop>(std::move(loop));
  }
  compilation.program = std::move(program);
}

void SumsAreTooShort(Compilation& compilation) {
  InLoops(compilation, [](const auto&, compiler::loops::Loop& loop) {
    if (loop.reduced.empty() || loop.reduced.back() < 2) return false;
    --loop.reduced.back();
    return true;
  });
}

void ScansRunAlongTheFirstAxis(Compilation& compilation) {
  InLoops(compilation, [](const auto&, compiler::loops::Loop& loop) {
    loop.axis = 0;
    return loop.kind == LoopKind::kScan;
  });
}

void PartsAreCombinedOtherwise(Compilation& compilation) {
  InLoops(compilation, [](const compiler::loops::Value& value, compiler::loops::Loop& loop) {
    const bool is_sum = loop.kind == LoopKind::kReduction && loop.combine == Combine::kSum;
    if (is_sum && value.sizes.size() <= 1) loop.combine = Combine::kMax;
    return is_sum;
  });
}

/// A value that was put into another one is taken from where the first dimension begins.
void InlinedValuesAreReadAtTheBeginning(Compilation& compilation) {
  for (auto& loop : compilation.resolved->loops) {
    if (!loop || loop->kind != LoopKind::kPointwise) continue;
    Body body;
    compiler::loops::BodyCopy copy(loop->body, body, [](const Expression& expression, auto& inner) {
      const bool is_first = expression.op == Op::kIndex && expression.integer == 0;
      return is_first ? std::optional(inner.target().Constant(0, compiler::loops::Type::Long)) : std::nullopt;
    });
    loop->result = copy(loop->result);
    loop->body = std::move(body);
  }
}

/// Two dimensions of the same length are taken for each other by all but one value of a kernel.
void MembersGoAnotherWay(Compilation& compilation) {
  for (auto& group : compilation.grouping->groups) {
    for (size_t k = 1; k < group.members.size(); ++k) {
      auto& variables = group.members[k].variables;
      for (size_t i = 1; i < variables.size(); ++i) {
        const uint32_t a = variables[i - 1], b = variables[i];
        if (std::max(a, b) < group.extents.size() && group.extents[a] == group.extents[b] && !group.outer)
          std::swap(variables[i - 1], variables[i]);
      }
    }
  }
}

void DifferencesAreTurnedAround(Compilation& compilation) {
  graph::Rebuild rebuild(*compilation.graph);
  rebuild.CopyPlaceholders();
  rebuild.CopyConstants();
  for (const graph::Node& node : compilation.graph->nodes()) {
    std::vector<graph::Argument> arguments;
    for (const graph::Argument& argument : node.arguments) arguments.push_back(rebuild.Map(argument));
    if (node.op->name() == "aten::sub" && arguments[1].is_value()) std::swap(arguments[0], arguments[1]);
    rebuild.CopyNode(node, arguments);
  }
  rebuild.CopyOutputs();
  compilation.graph = std::make_shared<graph::Graph>(std::move(rebuild).Take());
}

void KernelsHaveTheCodeOfTheLast(Compilation& compilation) {
  const auto& kernels = compilation.schedule->kernels;
  for (size_t i = 0; i + 1 < kernels.size(); ++i)
    if (kernels[i].buffers.size() == kernels.back().buffers.size())
      compilation.code[i] = compilation.code.back();
}

constexpr Mutant kMutants[] = {
    {"differences_are_turned_around", "decompose", DifferencesAreTurnedAround},
    {"sums_are_too_short", "lower", SumsAreTooShort},
    {"scans_run_along_the_first_axis", "lower", ScansRunAlongTheFirstAxis},
    {"parts_are_combined_otherwise", "split_reductions", PartsAreCombinedOtherwise},
    {"inlined_values_are_read_at_the_beginning", "inline", InlinedValuesAreReadAtTheBeginning},
    {"members_go_another_way", "fuse", MembersGoAnotherWay},
    {"kernels_have_the_code_of_the_last", "codegen", KernelsHaveTheCodeOfTheLast},
    {"index_off_by_one", "arrange", IndexOffByOne},
    {"stride_is_forgotten", "arrange", StrideIsForgotten},
    {"mask_is_always_false", "arrange", MaskIsAlwaysFalse},
    {"difference_the_wrong_way", "arrange", SwapOperands<Op::kSub>},
    {"quotient_upside_down", "arrange", SwapOperands<Op::kDiv>},
    {"choice_the_wrong_way", "arrange", SwapOperands<Op::kSelect, 1, 2>},
    {"wrong_constant", "arrange", WrongConstant},
    {"less_or_equal", "arrange", Exchange<Op::kLt, Op::kLe>},
    {"greater_is_less", "arrange", Exchange<Op::kGt, Op::kLt>},
    {"largest_is_smallest", "arrange", Exchange<Op::kMax, Op::kMin>},
    {"power_of_two", "arrange", Exchange<Op::kExp, Op::kExp2>},
    {"round_is_floor", "arrange", Exchange<Op::kRound, Op::kFloor>},
    {"sum_is_product", "arrange", CombineOtherwise<Combine::kSum, Combine::kProduct>},
    {"max_of_all_is_min", "arrange", CombineOtherwise<Combine::kMax, Combine::kMin>},
    {"arg_max_is_arg_min", "arrange", CombineOtherwise<Combine::kArgMax, Combine::kArgMin>},
    {"last_iteration_is_missing", "arrange", LastIterationIsMissing},
    {"reduces_along_the_wrong_axis", "arrange", ReducesAlongTheWrongAxis},
    {"last_store_is_missing", "arrange", LastStoreIsMissing},
    {"stores_the_value_of_the_first", "arrange", StoresTheValueOfTheFirst},
    {"numbers_are_stale", "arrange", NumbersAreStale},
    {"steps_in_the_wrong_order", "arrange", StepsInTheWrongOrder},
    {"last_place_is_refused", "arrange", LastPlaceIsRefused},
    {"writes_into_inputs", "plan_memory", WritesIntoInputs},
    {"takes_memory_that_is_still_needed", "plan_memory", TakesMemoryThatIsStillNeeded},
    {"frees_too_early", "plan_memory", FreesTooEarly},
    {"merges_random_calls", "merge_equal_calls", MergesRandomCalls},
    {"merges_calls_with_other_numbers", "merge_equal_calls", MergesCallsWithOtherNumbers},
    {"constants_are_scaled", "fold_constants", ConstantsAreScaled},
};

const Mutant* active = nullptr;

void PassWithMistake(Compilation& compilation, const Applies& applies) {
  const auto& passes = compiler::pipeline::DefaultPipeline();
  const auto pass = std::ranges::find(passes, active->pass, &Pass::name);
  CULPRIT_CHECK(pass != passes.end(), "no pass is called {}", active->pass);
  pass->run(compilation, applies);
  active->mistake(compilation);
}

}  // namespace

std::span<const Mutant> AllMutants() {
  return kMutants;
}

compiler::pipeline::Pipeline PipelineOf(const Mutant& mutant) {
  active = &mutant;
  compiler::pipeline::Pipeline pipeline = compiler::pipeline::DefaultPipeline();
  std::ranges::find(pipeline, mutant.pass, &Pass::name)->run = PassWithMistake;
  return pipeline;
}

}  // namespace culprit::tests
