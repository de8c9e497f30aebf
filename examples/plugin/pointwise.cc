// SPDX-License-Identifier: Apache-2.0
//
// A plug-in for Culprit: compiles graphs of pointwise operators, all on float32 or all on float64, into one
// loop per output, which calls libm. Everything else is refused, with the name of the operator.
//
// Pointwise operators commute with broadcasting, so an element of an output needs one element of each input:
// the whole graph runs for one element at a time, with one double per value. Outputs are always contiguous.
#include <culprit/backend.h>

#include <cmath>
#include <cstring>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using Unary = double (*)(double);
const std::map<std::string, Unary> kUnary = {
    {"aten::exp", std::exp},
    {"aten::log", std::log},
    {"aten::sin", std::sin},
    {"aten::cos", std::cos},
    {"aten::tanh", std::tanh},
    {"aten::sqrt", std::sqrt},
    {"aten::abs", std::fabs},
    {"aten::neg", [](double x) { return -x; }},
    {"aten::relu", [](double x) { return x < 0 ? 0 : x; }},
    {"aten::sigmoid", [](double x) { return 1 / (1 + std::exp(-x)); }},
};

double Add(double x, double y) {
  return x + y;
}
double Sub(double x, double y) {
  return x - y;
}
double Mul(double x, double y) {
  return x * y;
}
double Div(double x, double y) {
  return x / y;
}
double Maximum(double x, double y) {
  return std::isnan(x) || x > y ? x : y;
}

using Binary = double (*)(double, double);
const std::map<std::string, Binary> kBinary = {{"aten::add", Add},
                                               {"aten::sub", Sub},
                                               {"aten::mul", Mul},
                                               {"aten::div", Div},
                                               {"aten::maximum", Maximum}};

struct Step {
  Unary unary = nullptr;
  Binary binary = nullptr;
  std::vector<CulpritArgument> operands;  // values and numbers
  double alpha = 1;                       // of add and sub: x + alpha * y
  uint32_t result = 0;
};

struct Program {
  const CulpritGraph* graph;  // lives until Destroy
  bool round_always;
  int32_t dtype = 0;
  std::vector<Step> steps = {};
};

[[noreturn]] void Refuse(const std::string& message) {
  throw std::runtime_error(message);
}
bool IsNumber(const CulpritArgument& a) {
  return a.kind == CULPRIT_FLOAT || a.kind == CULPRIT_INT;
}
double NumberOf(const CulpritArgument& a) {
  return a.kind == CULPRIT_FLOAT ? a.as.number : double(a.as.integer);
}

// ---- compiling

Step MakeStep(const CulpritNode& node) {
  Step step;
  if (const auto row = kUnary.find(node.op); row != kUnary.end()) step.unary = row->second;
  if (const auto row = kBinary.find(node.op); row != kBinary.end()) step.binary = row->second;
  step.operands.assign(node.arguments, node.arguments + node.argument_count);
  step.result = node.results[0];
  if (node.argument_count == 3 && IsNumber(node.arguments[2])) {
    step.alpha = NumberOf(node.arguments[2]);
    step.operands.pop_back();
  }
  bool fits = step.operands.size() == (step.unary ? 1 : step.binary ? 2 : 0);
  for (const CulpritArgument& a : step.operands) fits = fits && (a.kind == CULPRIT_VALUE || IsNumber(a));
  if (!fits) Refuse("operator " + std::string(node.op) + "." + node.overload + " is not supported");
  return step;
}

// Asks for the switch each time, right before a pass is applied.
void Optimise(const CulpritHost* host, Step& step) {
  if (!step.binary || !IsNumber(step.operands[1])) return;
  const double number = NumberOf(step.operands[1]);
  if (step.binary == Div && host->switch_is_on(host, "reciprocal")) {  // x / 4 => x * 0.25
    step.binary = Mul;
    step.operands[1] = {CULPRIT_FLOAT, 0, {}};
    step.operands[1].as.number = 1 / number;
  }
  if (step.binary == Mul && number == 1 && host->switch_is_on(host, "simplify")) {  // x * 1 => x
    step.binary = nullptr;
    step.unary = [](double x) { return x; };
    step.operands.pop_back();
  }
}

// Of a placeholder or a constant; null for everything else.
const CulpritTensor* TensorOf(const CulpritValue& value, const CulpritArgument* inputs) {
  if (value.origin > CULPRIT_FROM_BUFFER) return value.constant;
  return inputs[value.origin_index].kind == CULPRIT_TENSOR ? inputs[value.origin_index].as.tensor : nullptr;
}

Program CompileGraph(const CulpritHost* host, const CulpritGraph* graph, const CulpritArgument* inputs) {
  Program program{graph, std::strcmp(host->option(host, "round"), "always") == 0};
  for (uint32_t i = 0; i < graph->value_count; ++i) {
    if (graph->values[i]->origin == CULPRIT_FROM_NODE) continue;
    const CulpritTensor* tensor = TensorOf(*graph->values[i], inputs);
    if (tensor && program.dtype == 0) program.dtype = tensor->dtype;
    if (!tensor || tensor->dtype != program.dtype ||
        (program.dtype != CULPRIT_FLOAT32 && program.dtype != CULPRIT_FLOAT64))
      Refuse(std::string(graph->values[i]->name) +
             " has another dtype than float32 or float64, or two are mixed");
  }
  for (uint32_t i = 0; i < graph->node_count; ++i) {
    program.steps.push_back(MakeStep(*graph->nodes[i]));
    Optimise(host, program.steps.back());
  }
  return program;
}

// ---- computing

struct Value {
  const CulpritTensor* tensor = nullptr;  // of a placeholder or a constant
  std::vector<int64_t> sizes = {};
  double element = 0;
};

void Broadcast(const std::vector<int64_t>& from, std::vector<int64_t>& sizes) {
  if (from.size() > sizes.size()) sizes.insert(sizes.begin(), from.size() - sizes.size(), 1);
  for (size_t i = 1; i <= from.size(); ++i) {
    const int64_t wanted = from[from.size() - i];
    int64_t& size = sizes[sizes.size() - i];
    if (size != wanted && size != 1 && wanted != 1) Refuse("sizes do not broadcast");
    if (size == 1) size = wanted;
  }
}

// The element for an index of the output: dimensions of size 1, and those missing on the left, are broadcast.
// A tensor that this output does not depend on may be too small; then any number will do.
double Load(const CulpritTensor& tensor, const std::vector<int64_t>& index) {
  int64_t offset = 0;
  for (int32_t d = 0; d < tensor.ndim; ++d) {
    const int64_t place = int64_t(index.size()) - tensor.ndim + d;
    const int64_t i = tensor.sizes[d] == 1 || place < 0 ? 0 : index[place];
    if (i >= tensor.sizes[d]) return 0;
    offset += i * tensor.strides[d];
  }
  if (tensor.dtype == CULPRIT_FLOAT64) return static_cast<const double*>(tensor.data)[offset];
  return static_cast<const float*>(tensor.data)[offset];
}

void ComputeElement(const Program& program, const std::vector<int64_t>& index, std::vector<Value>& values) {
  for (Value& value : values)
    if (value.tensor) value.element = Load(*value.tensor, index);
  const auto operand = [&](const CulpritArgument& a) {
    return a.kind == CULPRIT_VALUE ? values[a.as.value].element : NumberOf(a);
  };
  for (const Step& step : program.steps) {
    const double x = operand(step.operands[0]);
    double& result = values[step.result].element;
    result = step.unary ? step.unary(x) : step.binary(x, step.alpha * operand(step.operands[1]));
    if (program.round_always && program.dtype == CULPRIT_FLOAT32) result = float(result);
  }
}

void MakeOutput(const CulpritHost* host, const Program& program, uint32_t output,
                std::vector<Value>& values) {
  const CulpritArgument& what = program.graph->outputs[output];
  const CulpritValue* made = what.kind == CULPRIT_VALUE ? program.graph->values[what.as.value] : nullptr;
  if (!made) return void(host->set(host, output, &what));
  if (made->origin <= CULPRIT_FROM_BUFFER)
    return void(host->share(host, output, CULPRIT_SHARE_INPUT, made->origin_index, 0, nullptr, nullptr, 0));
  const Value& value = values[what.as.value];
  int64_t count = 1;
  for (const int64_t size : value.sizes) count *= size;
  void* data =
      host->allocate(host, output, program.dtype, int32_t(value.sizes.size()), value.sizes.data(), nullptr);
  std::vector<int64_t> index(value.sizes.size());
  for (int64_t i = 0; data && i < count; ++i) {
    ComputeElement(program, index, values);
    if (program.dtype == CULPRIT_FLOAT64)
      static_cast<double*>(data)[i] = value.element;
    else
      static_cast<float*>(data)[i] = float(value.element);
    for (size_t d = index.size(); d-- > 0 && ++index[d] == value.sizes[d];) index[d] = 0;
  }
}

// ---- what Culprit calls: no exception leaves it

int32_t Compile(const CulpritHost* host, const CulpritGraph* graph, const CulpritArgument* inputs,
                void** compiled) try {
  *compiled = new Program(CompileGraph(host, graph, inputs));
  return 0;
} catch (const std::exception& error) {
  return host->fail(host, "%s", error.what());
}

int32_t Call(const CulpritHost* host, void* compiled, const CulpritArgument* inputs) try {
  const Program& program = *static_cast<const Program*>(compiled);
  std::vector<Value> values(program.graph->value_count);
  for (uint32_t i = 0; i < values.size(); ++i) {
    const CulpritTensor* tensor = values[i].tensor = TensorOf(*program.graph->values[i], inputs);
    if (tensor) values[i].sizes.assign(tensor->sizes, tensor->sizes + tensor->ndim);
  }
  for (const Step& step : program.steps)
    for (const CulpritArgument& a : step.operands)
      if (a.kind == CULPRIT_VALUE) Broadcast(values[a.as.value].sizes, values[step.result].sizes);
  for (uint32_t i = 0; i < program.graph->output_count; ++i) MakeOutput(host, program, i, values);
  return 0;
} catch (const std::exception& error) {
  return host->fail(host, "%s", error.what());
}

void Destroy(void* compiled) {
  delete static_cast<Program*>(compiled);
}

const char* const kRoundings[] = {"always", "last", nullptr};
const CulpritOption kOptions[] = {
    {"round", "always", "round to float32 after each operator, or only at the last", kRoundings}, {}};
const CulpritSwitch kSwitches[] = {
    {"reciprocal", "x / 4 becomes x * 0.25"}, {"simplify", "x * 1 becomes x"}, {}};

const CulpritPlugin kPlugin = {sizeof(CulpritPlugin),
                               CULPRIT_ABI_VERSION,
                               "pointwise",
                               "pointwise graphs as loops that call libm",
                               kOptions,
                               kSwitches,
                               /*frozen_parameters=*/0,
                               /*calls=*/1,
                               /*configure=*/nullptr,
                               Compile,
                               Call,
                               Destroy};

}  // namespace

const CulpritPlugin* culprit_plugin(uint32_t) {
  return &kPlugin;
}
