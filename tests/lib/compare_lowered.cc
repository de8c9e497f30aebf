// SPDX-License-Identifier: Apache-2.0
#include "tests/lib/compare_lowered.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/Context.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/randint.h>
#include <ATen/ops/randn.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>
#include <set>
#include <sstream>

#include "graph/run/interpreter.h"
#include "tests/lib/evaluate_loops.h"
#include "tests/lib/short_graph.h"

namespace culprit::tests {
namespace {

const std::map<std::string, at::ScalarType> kDtypes = {
    {"f32", at::kFloat}, {"f64", at::kDouble}, {"f16", at::kHalf},  {"bf16", at::kBFloat16},
    {"i64", at::kLong},  {"i32", at::kInt},    {"i16", at::kShort}, {"i8", at::kChar},
    {"u8", at::kByte},   {"bool", at::kBool},
};

constexpr double kSpecials[] = {NAN, INFINITY, -INFINITY, 0.0,  -0.0, 1.0,  -1.0,  0.5,  -0.5,
                                1.5, 2.5,      3.0,       -3.0, 6.0,  20.5, 100.0, -100, 1e-30};

struct Described {
  at::ScalarType dtype = at::kFloat;
  std::vector<int64_t> sizes;
  std::set<std::string> words;
  int64_t bound = 0;
};

Described Parse(const std::string& text) {
  Described described;
  const size_t open = text.find('[');
  const size_t close = text.find(']');
  described.dtype = kDtypes.at(text.substr(0, open));
  std::istringstream sizes(text.substr(open + 1, close - open - 1));
  for (std::string size; std::getline(sizes, size, ',');) described.sizes.push_back(std::stoll(size));
  std::istringstream words(text.substr(close + 1));
  for (std::string word; words >> word;) {
    if (word == "below") words >> described.bound;
    described.words.insert(word);
  }
  return described;
}

int64_t LowestInteger(const Described& described) {
  if (described.words.contains("positive")) return 1;
  return described.dtype == at::kByte ? 0 : -9;
}

at::Tensor Values(const Described& described, const std::vector<int64_t>& sizes) {
  const at::Generator generator = at::make_generator<at::CPUGeneratorImpl>(17 + sizes.size());
  if (described.bound > 0) return at::randint(described.bound, sizes, generator).to(described.dtype);
  if (!at::isFloatingType(described.dtype))
    return at::randint(LowestInteger(described), 10, sizes, generator).to(described.dtype);
  at::Tensor values = at::randn(sizes, generator, at::kDouble).mul(2);
  if (described.words.contains("positive")) values = values.abs().add(0.1);
  if (described.words.contains("special")) {
    double* data = values.data_ptr<double>();
    for (int64_t i = 0; i < values.numel(); i += 2) data[i] = kSpecials[(i / 2) % std::size(kSpecials)];
  }
  return values.to(described.dtype);
}

double Tolerance(at::ScalarType dtype) {
  switch (dtype) {
    case at::kFloat:
      return 2e-5;
    case at::kDouble:
      return 1e-10;
    case at::kHalf:
      return 4e-3;
    case at::kBFloat16:
      return 3e-2;
    default:
      return 0;
  }
}

std::vector<c10::IValue> AsValues(const std::vector<std::string>& inputs) {
  std::vector<c10::IValue> values;
  for (const std::string& input : inputs) values.emplace_back(Numbers(input));
  return values;
}

}  // namespace

std::string DifferenceOf(const at::Tensor& eager, const at::Tensor& lowered, bool is_view) {
  if (!eager.defined()) return lowered.defined() ? "defined" : "";
  if (eager.scalar_type() != lowered.scalar_type())
    return fmt::format("{} instead of {}", toString(lowered.scalar_type()), toString(eager.scalar_type()));
  if (eager.sizes() != lowered.sizes())
    return fmt::format("[{}] instead of [{}]", fmt::join(lowered.sizes(), ", "),
                       fmt::join(eager.sizes(), ", "));
  if (!is_view && eager.strides() != lowered.strides())
    return fmt::format("strides [{}] instead of [{}]", fmt::join(lowered.strides(), ", "),
                       fmt::join(eager.strides(), ", "));
  const double tolerance = Tolerance(eager.scalar_type());
  const at::Tensor same =
      lowered.to(at::kDouble).isclose(eager.to(at::kDouble), tolerance, tolerance, /*equal_nan=*/true);
  if (eager.numel() == 0 || same.all().item<bool>()) return "";
  std::ostringstream words;
  const at::Tensor off = same.logical_not();
  words << lowered.masked_select(off).flatten().slice(0, 0, 4) << "\ninstead of "
        << eager.masked_select(off).flatten().slice(0, 0, 4);
  return words.str();
}

at::Tensor Numbers(const std::string& text) {
  const Described described = Parse(text);
  std::vector<int64_t> sizes = described.sizes;
  const std::set<std::string>& words = described.words;
  if (words.contains("t")) std::swap(sizes[sizes.size() - 1], sizes[sizes.size() - 2]);
  if (words.contains("step")) sizes.back() *= 2;
  if (words.contains("expand")) sizes[0] = 1;
  at::Tensor values = Values(described, sizes);
  if (words.contains("t")) values = values.transpose(-1, -2);
  if (words.contains("step")) values = values.slice(-1, 0, sizes.back(), 2);
  if (words.contains("expand")) values = values.expand(described.sizes);
  if (words.contains("cl")) values = values.contiguous(at::MemoryFormat::ChannelsLast);
  return values;
}

compiler::loops::LoopProgram LowerText(const std::string& text, const std::vector<c10::IValue>& inputs,
                                       const compiler::lower::LowerOptions& options) {
  return compiler::lower::Lower(std::make_shared<const graph::Graph>(ShortGraph(text)), inputs, options);
}

Lowered CompareLowered(const std::string& text, const std::vector<c10::IValue>& inputs,
                       const compiler::lower::LowerOptions& options) {
  const at::NoGradGuard no_grad;
  const auto graph = std::make_shared<const graph::Graph>(ShortGraph(text));
  Lowered result;
  std::vector<c10::IValue> eager;
  try {
    eager = graph::Interpreter(*graph).Run(inputs);
  } catch (const c10::Error&) {
    result.eager_throws = true;
    return result;
  }
  const compiler::loops::LoopProgram program = compiler::lower::Lower(graph, inputs, options);
  const std::vector<c10::IValue> lowered = OutputsOf(program, EvaluateLoops(program, inputs));
  for (size_t i = 0; i < eager.size(); ++i) {
    const graph::ValueId output = graph->outputs()[i].value();
    const compiler::loops::Value& value = program[program.value_of[Index(output)]];
    if (value.loop) ++result.loops;
    const std::string difference = DifferenceOf(eager[i].toTensor(), lowered[i].toTensor(), value.is_view);
    if (!difference.empty() && result.difference.empty())
      result.difference = fmt::format("output {}: {}\n{}", i, difference, ToText(program));
  }
  return result;
}

void ExpectLowered(const std::string& text, const std::vector<std::string>& inputs,
                   const compiler::lower::LowerOptions& options) {
  const std::string where = fmt::format("{}\non {}", text, fmt::join(inputs, ", "));
  try {
    const Lowered lowered = CompareLowered(text, AsValues(inputs), options);
    EXPECT_FALSE(lowered.eager_throws) << where;
    EXPECT_EQ(lowered.difference, "") << where;
    EXPECT_EQ(lowered.loops, ShortGraph(text).outputs().size()) << where;
  } catch (const std::exception& error) {
    ADD_FAILURE() << where << "\nthrows " << error.what();
  }
}

void ExpectCall(const std::string& text, const std::vector<std::string>& inputs) {
  const Lowered lowered = CompareLowered(text, AsValues(inputs));
  EXPECT_FALSE(lowered.eager_throws) << text;
  EXPECT_EQ(lowered.difference, "") << text;
  EXPECT_EQ(lowered.loops, 0U) << text;
}

std::string OneCall(const std::string& call, size_t inputs, size_t results) {
  std::vector<std::string> arguments;
  for (size_t i = 0; i < inputs; ++i) arguments.emplace_back(1, static_cast<char>('a' + i));
  std::vector<std::string> names;
  for (size_t i = 0; i < results; ++i) names.push_back(fmt::format("r{}", i));
  return fmt::format("{}\n{} = {}\nreturn ({},)", fmt::join(arguments, ", "), fmt::join(names, ", "), call,
                     fmt::join(names, ", "));
}

}  // namespace culprit::tests
