// SPDX-License-Identifier: Apache-2.0
//
// A plug-in for Culprit: compiles graphs of pointwise operators into one loop that calls libm. All tensors
// have to be float32, or all float64, and of the same sizes; everything else is refused, operators by name.
#include <culprit/backend.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using Function = double (*)(double x, double y);
const std::map<std::string, Function> kFunctions = {
    {"aten::add", [](double x, double y) { return x + y; }},
    {"aten::sub", [](double x, double y) { return x - y; }},
    {"aten::mul", [](double x, double y) { return x * y; }},
    {"aten::div", [](double x, double y) { return x / y; }},
    {"aten::maximum", [](double x, double y) { return std::isnan(x) || x > y ? x : y; }},
    {"aten::neg", [](double x, double) { return -x; }},
    {"aten::relu", [](double x, double) { return x < 0 ? 0 : x; }},
    {"aten::sigmoid", [](double x, double) { return 1 / (1 + std::exp(-x)); }},
    {"aten::exp", [](double x, double) { return std::exp(x); }},
    {"aten::log", [](double x, double) { return std::log(x); }},
    {"aten::sin", [](double x, double) { return std::sin(x); }},
    {"aten::cos", [](double x, double) { return std::cos(x); }},
    {"aten::tanh", [](double x, double) { return std::tanh(x); }},
    {"aten::sqrt", [](double x, double) { return std::sqrt(x); }},
    {"aten::abs", [](double x, double) { return std::fabs(x); }},
};

struct Step {
  Function function;
  std::vector<CulpritArgument> operands;  // one or two: values and numbers
  double alpha = 1;                       // of add and sub: x + alpha * y
  uint32_t result = 0;
};

struct Program {
  const CulpritGraph* graph;  // lives until it is destroyed
  bool round_always;
  std::vector<Step> steps = {};
};

bool IsNumber(const CulpritArgument& a) {
  return a.kind == CULPRIT_FLOAT || a.kind == CULPRIT_INT;
}
double NumberOf(const CulpritArgument& a) {
  return a.kind == CULPRIT_FLOAT ? a.as.number : static_cast<double>(a.as.integer);
}

// ---- compiling

Step MakeStep(const CulpritNode& node) {
  const auto row = kFunctions.find(node.op);
  bool known = row != kFunctions.end();
  Step step{nullptr, {node.arguments, node.arguments + node.argument_count}, 1, node.results[0]};
  if (node.argument_count == 3 && IsNumber(node.arguments[2])) {
    step.alpha = NumberOf(node.arguments[2]);
    step.operands.pop_back();
  }
  for (const CulpritArgument& a : step.operands) known = known && (a.kind == CULPRIT_VALUE || IsNumber(a));
  if (!known) throw std::runtime_error("no code for operator " + std::string(node.op));
  step.function = row->second;
  return step;
}

// A switch is asked for each time, right before a pass is applied.
void Optimise(const CulpritHost* host, Step& step) {
  if (step.operands.size() != 2 || !IsNumber(step.operands[1])) return;
  const double number = NumberOf(step.operands[1]);
  if (step.function == kFunctions.at("aten::div") && host->switch_is_on(host, "reciprocal")) {
    step.function = kFunctions.at("aten::mul");
    step.operands[1].kind = CULPRIT_FLOAT;
    step.operands[1].as.number = 1 / number;
  }
  if (step.function == kFunctions.at("aten::mul") && number == 1 && host->switch_is_on(host, "simplify"))
    step.function = [](double x, double) { return x; };
}

// Of a placeholder or a constant; null for results.
const CulpritTensor* TensorOf(const CulpritValue& value, const CulpritArgument* inputs) {
  if (value.origin > CULPRIT_FROM_BUFFER) return value.constant;
  if (inputs[value.origin_index].kind == CULPRIT_TENSOR) return inputs[value.origin_index].as.tensor;
  throw std::runtime_error(std::string(value.name) + " is no tensor");
}

int32_t Compile(const CulpritHost* host, const CulpritGraph* graph, const CulpritArgument* inputs,
                void** compiled) try {
  Program program{graph, host->option(host, "round") == std::string("always")};
  const CulpritTensor* first = nullptr;
  for (uint32_t i = 0; i < graph->value_count; ++i) {
    const CulpritTensor* tensor = TensorOf(*graph->values[i], inputs);
    if (!tensor) continue;
    if (!first) first = tensor;
    if (tensor->dtype != first->dtype ||
        (tensor->dtype != CULPRIT_FLOAT32 && tensor->dtype != CULPRIT_FLOAT64) ||
        !std::equal(tensor->sizes, tensor->sizes + tensor->ndim, first->sizes, first->sizes + first->ndim))
      throw std::runtime_error(std::string(graph->values[i]->name) + " has a dtype or sizes that do not fit");
  }
  if (!first) throw std::runtime_error("there is no tensor to compute with");
  for (uint32_t i = 0; i < graph->node_count; ++i) {
    program.steps.push_back(MakeStep(*graph->nodes[i]));
    Optimise(host, program.steps.back());
  }
  *compiled = new Program(std::move(program));
  return 0;
} catch (const std::exception& error) {
  return host->fail(host, "%s", error.what());
}

// ---- computing

double Load(const CulpritTensor& tensor, int64_t i) {
  int64_t place = 0;
  for (int32_t d = tensor.ndim; d-- > 0; i /= tensor.sizes[d])
    place += i % tensor.sizes[d] * tensor.strides[d];
  return tensor.dtype == CULPRIT_FLOAT32 ? static_cast<const float*>(tensor.data)[place]
                                         : static_cast<const double*>(tensor.data)[place];
}

// Contiguous memory for each output that is a result. What fails here is reported by the host.
std::vector<void*> MakeOutputs(const CulpritHost* host, const CulpritGraph& graph, const CulpritTensor& t) {
  std::vector<void*> memory(graph.output_count);
  for (uint32_t i = 0; i < graph.output_count; ++i) {
    const CulpritArgument& output = graph.outputs[i];
    const CulpritValue* value = output.kind == CULPRIT_VALUE ? graph.values[output.as.value] : nullptr;
    if (!value) {
      host->set(host, i, &output);
    } else if (value->origin <= CULPRIT_FROM_BUFFER) {
      host->share(host, i, CULPRIT_SHARE_INPUT, value->origin_index, 0, nullptr, nullptr, 0);
    } else {
      memory[i] = host->allocate(host, i, t.dtype, t.ndim, t.sizes, nullptr);
    }
  }
  return memory;
}

int32_t Call(const CulpritHost* host, void* compiled, const CulpritArgument* inputs) try {
  const Program& program = *static_cast<const Program*>(compiled);
  const CulpritGraph& graph = *program.graph;
  std::vector<const CulpritTensor*> tensors;
  for (uint32_t v = 0; v < graph.value_count; ++v) tensors.push_back(TensorOf(*graph.values[v], inputs));
  const CulpritTensor& first = **std::find_if(tensors.begin(), tensors.end(), [](auto* t) { return t; });
  const std::vector<void*> memory = MakeOutputs(host, graph, first);
  const bool round = program.round_always && first.dtype == CULPRIT_FLOAT32;
  int64_t count = 1;
  for (int32_t d = 0; d < first.ndim; ++d) count *= first.sizes[d];
  std::vector<double> values(graph.value_count);
  const auto operand = [&](const CulpritArgument& a) {
    return a.kind == CULPRIT_VALUE ? values[a.as.value] : NumberOf(a);
  };
  for (int64_t i = 0; i < count; ++i) {
    for (uint32_t v = 0; v < graph.value_count; ++v)
      if (tensors[v]) values[v] = Load(*tensors[v], i);
    for (const Step& step : program.steps) {
      const double y = step.operands.size() == 2 ? step.alpha * operand(step.operands[1]) : 0;
      const double result = step.function(operand(step.operands[0]), y);
      values[step.result] = round ? static_cast<float>(result) : result;
    }
    for (uint32_t o = 0; o < graph.output_count; ++o) {
      if (!memory[o]) continue;
      const double result = values[graph.outputs[o].as.value];
      if (first.dtype == CULPRIT_FLOAT64) static_cast<double*>(memory[o])[i] = result;
      if (first.dtype == CULPRIT_FLOAT32) static_cast<float*>(memory[o])[i] = static_cast<float>(result);
    }
  }
  return 0;
} catch (const std::exception& error) {
  return host->fail(host, "%s", error.what());
}

// ---- what Culprit is told

const char* const kRoundings[] = {"always", "last", nullptr};
const CulpritOption kOptions[] = {{"round", "always", "when to round to float32", kRoundings}, {}};
const CulpritSwitch kSwitches[] = {
    {"reciprocal", "x / 4 becomes x * 0.25"}, {"simplify", "x * 1 becomes x"}, {}};
const CulpritPlugin kPlugin = {sizeof(CulpritPlugin),
                               CULPRIT_ABI_VERSION,
                               "pointwise",
                               "pointwise graphs as one loop that calls libm",
                               kOptions,
                               kSwitches,
                               /*frozen_parameters=*/0,
                               /*calls=*/1,
                               /*configure=*/nullptr,
                               Compile,
                               Call,
                               [](void* compiled) { delete static_cast<Program*>(compiled); },
                               /*symbols=*/1};

}  // namespace

const CulpritPlugin* culprit_plugin(uint32_t) {
  return &kPlugin;
}
