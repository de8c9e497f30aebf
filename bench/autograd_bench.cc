// SPDX-License-Identifier: Apache-2.0
//
// Forward and backward graphs of models in training:
//
//   JointTrace     trace_ms, node_us         tracing the joint graph (the aim is 20 ms for resnet18), and a
//   node
//                  simplify_ms, split_ms     what comes behind it, with the default partition
//                  min_cut_ms                and with the other one
//   SavedBytes     default_mb, min_cut_mb    what is alive between forward and backward
//   TrainingStep   ratio                     forward and backward of resnet18 with aot-eager to those of
//                                            libtorch's interpreter with its own autograd
#include <ATen/ops/ones_like.h>
#include <benchmark/benchmark.h>

#include "autograd/joint/simplify.h"
#include "autograd/partition/partition.h"
#include "autograd/trace/trace.h"
#include "backends/table.h"
#include "bench/in_turn.h"
#include "bench/loaded_call.h"
#include "tests/capture/hazard.h"

namespace culprit::bench {
namespace {

/// A model in training and the graph that it gives.
struct Training {
  LoadedCall call;
  std::vector<c10::IValue> arguments;
  graph::Graph graph;
  std::vector<c10::IValue> inputs;
};

Training LoadTraining(const char* name) {
  Training training{.call = LoadArchive(name)};
  training.call.module.train();
  for (const auto& parameter : training.call.module.named_parameters())
    parameter.value.set_requires_grad(true);
  training.arguments = training.call.ArgumentsFor(training.call.module);
  capture::Options options = EagerOptions();
  const auto compile = options.compile;
  options.compile = [&](const capture::Segment& segment, const backend::Values& inputs) {
    training.graph = segment.graph;
    training.inputs = inputs;
    return compile(segment, inputs);
  };
  capture::CapturedProgram(*LoadedCall::EntryOf(training.call.module).function, options)
      .Call(training.arguments);
  return training;
}

void JointTrace(benchmark::State& state, const char* name) {
  const Training training = LoadTraining(name);
  std::vector<double> trace;
  std::vector<double> simplify;
  std::vector<double> split;
  std::vector<double> min_cut;
  size_t nodes = 0;
  for (auto _ : state) {
    autograd::Traced traced;
    trace.push_back(Seconds([&] { traced = autograd::Trace(training.graph, training.inputs); }));
    nodes = traced.joint.graph.nodes().size();
    simplify.push_back(Seconds([&] { traced.joint = autograd::Simplify(traced.joint); }));
    split.push_back(Seconds([&] { autograd::Split(traced.joint, autograd::kPartitionModes[0]); }));
    min_cut.push_back(Seconds([&] { autograd::Split(traced.joint, autograd::kPartitionModes[1]); }));
    state.SetIterationTime(trace.back());
  }
  state.counters["nodes"] = static_cast<double>(nodes);
  state.counters["trace_ms"] = Median(trace) * 1e3;
  state.counters["node_us"] = Median(trace) * 1e6 / static_cast<double>(nodes);
  state.counters["simplify_ms"] = Median(simplify) * 1e3;
  state.counters["split_ms"] = Median(split) * 1e3;
  state.counters["min_cut_ms"] = Median(min_cut) * 1e3;
}

void SavedBytes(benchmark::State& state, const char* name) {
  const Training training = LoadTraining(name);
  const autograd::Joint joint = autograd::Simplify(autograd::Trace(training.graph, training.inputs).joint);
  for (auto _ : state) {
    const auto megabytes = [&](const autograd::PartitionMode& mode) {
      return static_cast<double>(autograd::SavedBytes(autograd::Split(joint, mode))) / 1e6;
    };
    state.counters["default_mb"] = megabytes(autograd::kPartitionModes[0]);
    state.counters["min_cut_mb"] = megabytes(autograd::kPartitionModes[1]);
    state.SetIterationTime(1e-9);
  }
}

at::Tensor FirstOf(const c10::IValue& result) {
  return result.isTensor() ? result.toTensor() : result.toTupleRef().elements()[0].toTensor();
}

void TrainingStep(benchmark::State& state, const char* name) {
  const Training training = LoadTraining(name);
  const model::Entry entry = LoadedCall::EntryOf(training.call.module);
  capture::Options options = EagerOptions();
  const std::shared_ptr<backend::Backend> compiler = *backends::Open({.name = "aot-eager"});
  options.compile = [&](const capture::Segment& segment, const backend::Values& inputs) {
    return std::shared_ptr<backend::Compiled>(compiler->Compile(segment.graph, inputs));
  };
  capture::CapturedProgram program(*entry.function, options);
  const tests::Callable interpreter = tests::PlainInterpreter(entry);
  const auto step = [&](const auto& forward) {
    const at::Tensor output = FirstOf(forward());
    output.backward(at::ones_like(output));
  };
  const MedianSeconds median = MeasureInTurn(
      state, [&] { step([&] { return program.Call(training.arguments); }); },
      [&] { step([&] { return interpreter(training.arguments); }); });
  state.counters["interpreter_ms"] = median.theirs * 1e3;
  state.counters["ratio"] = median.ours / median.theirs;
}

BENCHMARK_CAPTURE(JointTrace, resnet18, "resnet18")->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(JointTrace, mobilenet_v3_small, "mobilenet_v3_small")
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(SavedBytes, resnet18, "resnet18")->UseManualTime()->Iterations(1);
BENCHMARK_CAPTURE(SavedBytes, mobilenet_v3_small, "mobilenet_v3_small")->UseManualTime()->Iterations(1);
BENCHMARK_CAPTURE(TrainingStep, resnet18, "resnet18")
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond)
    ->Iterations(10);

}  // namespace
}  // namespace culprit::bench
