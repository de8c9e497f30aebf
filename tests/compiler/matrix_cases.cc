// SPDX-License-Identifier: Apache-2.0
#include "tests/compiler/matrix_cases.h"

#include <ATen/ops/arange.h>
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "compiler/lower/rules.h"
#include "graph/operators/operator.h"
#include "tests/compiler/matrix_rows.h"
#include "tests/lib/short_graph.h"

namespace culprit::tests {
namespace {

/// What a number that has no default is, by its name.
std::string NumberFor(const c10::Argument& argument) {
  static const std::map<std::string_view, std::string_view> by_name = {
      {"dim", "-1"}, {"min", "0"},     {"max", "2"},        {"negative_slope", "0.2"},  {"threshold", "20"},
      {"beta", "1"}, {"lambd", "0.5"}, {"keepdim", "True"}, {"self_is_result", "False"}};
  if (argument.type()->kind() == c10::TypeKind::BoolType) return "True";
  const auto known = by_name.find(argument.name());
  return known == by_name.end() ? "3" : std::string(known->second);
}

/// By the schema; empty if that is not enough.
std::string ArgumentsOf(const graph::Operator& op) {
  std::string text;
  char tensor = 'x';
  for (const c10::Argument& argument : op.schema().arguments()) {
    const c10::TypeKind kind = argument.type()->kind();
    if (argument.default_value() || argument.kwarg_only()) continue;
    if (!text.empty()) text += ", ";
    if (kind == c10::TypeKind::TensorType) {
      if (tensor > 'z') return "";
      text += tensor++;
    } else if (kind == c10::TypeKind::OptionalType) {
      text += "None";
    } else if (kind == c10::TypeKind::ListType) {
      return "";
    } else {
      text += NumberFor(argument);
    }
  }
  return text;
}

std::string Replaced(std::string text, std::string_view word, const std::string& by) {
  for (size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + by.size()))
    text.replace(at, word.size(), by);
  return text;
}

std::string DtypeText(at::ScalarType dtype) {
  static const std::map<at::ScalarType, std::string> names = {
      {at::kFloat, "float32"}, {at::kDouble, "float64"}, {at::kBFloat16, "bfloat16"}, {at::kHalf, "float16"},
      {at::kChar, "int8"},     {at::kByte, "uint8"},     {at::kShort, "int16"},       {at::kInt, "int32"},
      {at::kLong, "int64"},    {at::kBool, "bool"}};
  return "torch." + names.at(dtype);
}

/// Letters that stand alone.
std::string LettersIn(const std::string& arguments) {
  std::string letters;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const auto is_part = [&](size_t at) {
      return at < arguments.size() && (std::isalnum(arguments[at]) != 0 || arguments[at] == '_' ||
                                       arguments[at] == '\'' || arguments[at] == '{' || arguments[at] == '.');
    };
    if (std::islower(arguments[i]) == 0 || (i > 0 && is_part(i - 1)) || is_part(i + 1)) continue;
    if (arguments[std::min(i + 1, arguments.size() - 1)] == '=') continue;
    if (letters.find(arguments[i]) == std::string::npos) letters += arguments[i];
  }
  return letters;
}

std::vector<int64_t> SizesOf(const MatrixCase& each, const Layout& layout) {
  if (!each.is_image) return {layout.rows, layout.width};
  return {layout.rows == 0 ? 0 : 2, 4, 3, layout.width};
}

}  // namespace

std::vector<MatrixCase> MatrixCases() {
  std::vector<MatrixCase> cases;
  for (const compiler::lower::RuleFamily& family : compiler::lower::RuleFamilies()) {
    for (const compiler::lower::LoweringRule& rule : family.rules) {
      const size_t before = cases.size();
      for (const MatrixRow& row : MatrixRows())
        if (row.op == rule.op)
          cases.push_back({std::string(row.op), std::string(row.arguments), row.is_image});
      if (cases.size() > before) continue;
      cases.push_back({std::string(rule.op), ArgumentsOf(graph::Operator::Get(rule.op))});
    }
  }
  return cases;
}

MatrixGraph MakeGraph(const MatrixCase& each, at::ScalarType dtype, const Layout& layout) {
  std::string arguments = Replaced(each.arguments, "{W}", std::to_string(layout.width));
  arguments = Replaced(arguments, "{W2}", std::to_string(2 * layout.width));
  arguments = Replaced(arguments, "{R}", std::to_string(layout.rows));
  arguments = Replaced(arguments, "{RW}", std::to_string(layout.rows * layout.width));
  arguments = Replaced(arguments, "{HW}", std::to_string(3 * layout.width));
  arguments = Replaced(arguments, "{dtype}", DtypeText(dtype));
  const std::string letters = LettersIn(arguments);
  std::string placeholders;
  for (const char letter : letters)
    placeholders += (placeholders.empty() ? "" : ", ") + std::string(1, letter);
  const graph::Operator& op = graph::Operator::Get(each.op);
  std::string results;
  for (size_t i = 0; i < op.schema().returns().size(); ++i) results += fmt::format("r{}, ", i);
  results.resize(results.size() - 2);
  const std::string name = each.op.substr(6);
  const std::string call = name.find('.') == std::string::npos ? name + ".default" : name;
  return {ShortGraph(fmt::format("{}\n{} = {}({})\nreturn ({},)", letters.empty() ? "x" : placeholders,
                                 results, call, arguments, results)),
          letters.empty() ? "x" : letters};
}

std::vector<c10::IValue> MakeInputs(const MatrixCase& each, const std::string& letters, at::ScalarType dtype,
                                    const Layout& layout, Numbers numbers) {
  const std::vector<int64_t> sizes = SizesOf(each, layout);
  const auto plain = [&](at::ScalarType type, const std::vector<int64_t>& of, uint64_t seed) {
    return MakeTensor(type, of, Layout::Kind::kContiguous, Numbers::kRandom, seed);
  };
  const auto positive = [&](const std::vector<int64_t>& of, uint64_t seed) {
    const at::Tensor any = plain(dtype, of, seed);
    return dtype == at::kBool ? any : any.abs();
  };
  std::vector<c10::IValue> inputs;
  for (const char letter : letters) {
    const auto seed = static_cast<uint64_t>(letter);
    switch (letter) {
      case 'm':
        inputs.emplace_back(MakeTensor(at::kBool, sizes, layout.kind, Numbers::kRandom, seed));
        break;
      case 'i':
        inputs.emplace_back(
            plain(at::kLong, sizes, seed).abs().remainder(std::max<int64_t>(layout.width, 1)));
        break;
      case 'd': {
        const at::Tensor any = MakeTensor(dtype, sizes, layout.kind, Numbers::kRandom, seed);
        inputs.emplace_back(any.masked_fill(any.eq(0).logical_or(any.eq(-1)), 3));
        break;
      }
      case 'n':
        inputs.emplace_back(
            at::arange(3 * layout.width).expand({sizes[0], 4, 3 * layout.width}).reshape(sizes));
        break;
      case 'v':
        inputs.emplace_back(
            plain(at::kLong, {layout.width}, seed).abs().remainder(std::max<int64_t>(layout.rows, 1)));
        break;
      case 'k':
        inputs.emplace_back(at::arange(-layout.rows, layout.rows).reshape({2, -1}));
        break;
      case 'u':
        inputs.emplace_back(at::arange(-2, 2).reshape({1, 4}).expand({3, 4}));
        break;
      case 'e':
        inputs.emplace_back(MakeTensor(dtype, {sizes[0], 4, 1, layout.width}, layout.kind, numbers, seed));
        break;
      case 'b':
        inputs.emplace_back(
            MakeTensor(dtype, {sizes[0], 4, 6, 2 * layout.width}, layout.kind, numbers, seed));
        break;
      case 'o':
        inputs.emplace_back(plain(dtype, {}, seed));
        break;
      case 'c':
        inputs.emplace_back(plain(dtype, {4}, seed));
        break;
      case 'p':
        inputs.emplace_back(positive({4}, seed));
        break;
      case 'w':
        inputs.emplace_back(plain(dtype, {layout.width}, seed));
        break;
      case 's':
        inputs.emplace_back(plain(dtype, {layout.rows, 1}, seed));
        break;
      case 'q':
        inputs.emplace_back(positive({layout.rows, 1}, seed));
        break;
      case 'g':
      case 'h':
        inputs.emplace_back(plain(dtype, {2, 2}, seed));
        break;
      default:
        inputs.emplace_back(MakeTensor(dtype, sizes, layout.kind, numbers, seed));
    }
  }
  return inputs;
}

}  // namespace culprit::tests
