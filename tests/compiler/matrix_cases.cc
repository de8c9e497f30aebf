// SPDX-License-Identifier: Apache-2.0
#include "tests/compiler/matrix_cases.h"

#include <ATen/ops/arange.h>
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "compiler/lower/rules.h"
#include "graph/operator.h"
#include "tests/lib/short_graph.h"

namespace culprit::tests {
namespace {

struct Row {
  std::string_view op;
  std::string_view arguments;
  bool is_image = false;
};
constexpr bool kImage = true;

// Besides what follows from the schema, or instead of it.
constexpr Row kTable[] = {
    {"aten::prelu", "x, o"},
    {"aten::prelu", "x, c", kImage},
    {"aten::gelu", "x"},
    {"aten::gelu", "x, approximate='tanh'"},
    {"aten::gelu_backward", "x, y"},
    {"aten::gelu_backward", "x, y, approximate='tanh'"},
    {"aten::elu_backward", "x, 1.5, 0.5, 1.0, False, y"},
    {"aten::elu_backward", "x, 1.5, 0.5, 1.0, True, y"},
    {"aten::hardtanh_backward", "x, y, -1.0, 1.0"},
    {"aten::threshold", "x, 0, 2"},
    {"aten::threshold_backward", "x, y, 0"},
    {"aten::cat", "[x, y], -1"},
    {"aten::cat", "[x, y], 0"},
    {"aten::stack", "[x, y], 1"},
    {"aten::flip", "x, [0, 1]"},
    {"aten::roll", "x, [1, 2], [0, 1]"},
    {"aten::repeat", "x, [2, 1, 3]"},
    {"aten::constant_pad_nd", "x, [1, 2, -1, 1], 2"},
    {"aten::reflection_pad1d", "x, [2, 1]"},
    {"aten::reflection_pad2d", "x, [2, 1, 1, 2]", kImage},
    {"aten::replication_pad1d", "x, [2, 1]"},
    {"aten::replication_pad2d", "x, [2, 1, 1, 2]", kImage},
    {"aten::slice_backward", "x, [{R}, {W2}], 1, 0, {W2}, 2"},
    {"aten::select_backward", "x, [{R}, 4, {W}], 1, 2"},
    {"aten::select_scatter", "x, w, 0, -1"},
    {"aten::native_batch_norm", "x, c, c, None, None, True, 0.1, 1e-05", kImage},
    {"aten::native_batch_norm", "x, c, c, c, p, False, 0.1, 1e-05", kImage},
    {"aten::native_batch_norm_backward", "x, y, c, None, None, c, p, True, 1e-05, [True, True, True]",
     kImage},
    {"aten::native_batch_norm_backward", "x, y, c, c, p, c, p, False, 1e-05, [True, True, True]", kImage},
    {"aten::native_group_norm", "x, c, c, 2, 4, {HW}, 2, 1e-05", kImage},
    {"aten::native_group_norm_backward", "x, y, g, h, c, 2, 4, {HW}, 2, [True, True, True]", kImage},
    {"aten::native_layer_norm", "x, [{W}], w, w, 1e-05"},
    {"aten::native_layer_norm_backward", "x, y, [{W}], s, q, w, w, [True, True, True]"},
    {"aten::_softmax", "x, -1, False"},
    {"aten::_softmax", "x, 0, False"},
    {"aten::_log_softmax", "x, -1, False"},
    {"aten::_log_softmax", "x, 0, False"},
    {"aten::_softmax_backward_data", "x, y, -1, {dtype}"},
    {"aten::_softmax_backward_data", "x, y, 0, {dtype}"},
    {"aten::_log_softmax_backward_data", "x, y, -1, {dtype}"},
    {"aten::_log_softmax_backward_data", "x, y, 0, {dtype}"},
    {"aten::sum.dim_IntList", "x, [-1], True"},
    {"aten::sum.dim_IntList", "x, [0]"},
    {"aten::sum.dim_IntList", "x, [1, 3]", kImage},
    {"aten::mean.dim", "x, [-1], True"},
    {"aten::mean.dim", "x, [0]"},
    {"aten::mean.dim", "x, [2, 3]", kImage},
    {"aten::amax", "x, [-1]"},
    {"aten::amax", "x, [0, 2]", kImage},
    {"aten::amin", "x, [0], True"},
    {"aten::max.dim", "x, -1"},
    {"aten::max.dim", "x, 0, True"},
    {"aten::min.dim", "x, -1"},
    {"aten::argmax", "x"},
    {"aten::argmax", "x, -1"},
    {"aten::argmax", "x, 0, True"},
    {"aten::argmin", "x"},
    {"aten::argmin", "x, 1"},
    {"aten::cumsum", "x, -1"},
    {"aten::cumsum", "x, 0"},
    {"aten::cumprod", "x, -1"},
    {"aten::linalg_vector_norm", "x, 2, [-1]"},
    {"aten::linalg_vector_norm", "x, 1, [0]"},
    {"aten::linalg_vector_norm", "x, float('inf'), [0, 1]"},
    {"aten::norm.Scalar", "x, 2"},
    {"aten::norm.ScalarOpt_dim", "x, 2, [-1]"},
    {"aten::var.dim", "x, [-1]"},
    {"aten::std.dim", "x, [0]"},
    {"aten::var.correction", "x, [-1], correction=0"},
    {"aten::std.correction", "x, [-1], correction=1, keepdim=True"},
    {"aten::var_mean.correction", "x, [-1], correction=1"},
    {"aten::std_mean.correction", "x, [0], correction=1"},
    {"aten::where.self", "m, x, y"},
    {"aten::masked_fill.Scalar", "x, m, 2"},
    {"aten::masked_fill.Tensor", "x, m, o"},
    {"aten::clamp", "x, 0, 2"},
    {"aten::clamp", "x, 1"},
    {"aten::clamp.Tensor", "x, y, z"},
    {"aten::hardtanh", "x, -1, 2"},
    {"aten::lerp.Scalar", "x, y, 0.3"},
    {"aten::lerp.Scalar", "x, y, 0.7"},
    {"aten::pow.Tensor_Scalar", "x, 2"},
    {"aten::pow.Tensor_Scalar", "x, 3"},
    {"aten::pow.Tensor_Scalar", "x, 0.5"},
    {"aten::pow.Tensor_Scalar", "x, -1.5"},
    {"aten::pow.Scalar", "2, x"},
    {"aten::add.Tensor", "x, y, alpha=2"},
    {"aten::sub.Tensor", "x, y, alpha=2"},
    {"aten::add.Tensor", "x, o"},
    {"aten::mul.Tensor", "x, m"},
    {"aten::div.Tensor_mode", "x, y, rounding_mode='floor'"},
    {"aten::div.Tensor_mode", "x, y, rounding_mode='trunc'"},
    {"aten::div.Tensor_mode", "x, d, rounding_mode='floor'"},
    {"aten::div.Tensor_mode", "x, d, rounding_mode='trunc'"},
    {"aten::div.Scalar_mode", "x, 3, rounding_mode='floor'"},
    {"aten::div.Scalar_mode", "x, -3, rounding_mode='trunc'"},
    {"aten::floor_divide", "x, y"},
    {"aten::floor_divide", "x, d"},
    {"aten::floor_divide.Scalar", "x, 3"},
    {"aten::remainder.Tensor", "x, y"},
    {"aten::remainder.Tensor", "x, d"},
    {"aten::fmod.Tensor", "x, y"},
    {"aten::fmod.Tensor", "x, d"},
    {"aten::remainder.Scalar", "x, 3"},
    {"aten::remainder.Scalar", "x, -3"},
    {"aten::fmod.Scalar", "x, 3"},
    {"aten::__lshift__.Scalar", "x, 3"},
    {"aten::__rshift__.Scalar", "x, 1"},
    {"aten::bitwise_left_shift.Tensor_Scalar", "x, 3"},
    {"aten::bitwise_right_shift.Tensor_Scalar", "x, 1"},
    {"aten::_to_copy", "x, dtype=torch.float32"},
    {"aten::_to_copy", "x, dtype=torch.int64"},
    {"aten::_to_copy", "x, dtype=torch.uint8"},
    {"aten::_to_copy", "x, dtype=torch.bfloat16"},
    {"aten::_to_copy", "x, dtype=torch.bool"},
    {"aten::to.dtype", "x, torch.float64"},
    {"aten::to.dtype", "x, torch.int32"},
    {"aten::to.dtype_layout", "x, dtype=torch.float16"},
    {"aten::_autocast_to_reduced_precision", "x, False, True, torch.float16, torch.bfloat16"},
    {"aten::_autocast_to_full_precision", "x, False, True"},
    {"aten::zeros", "[{R}, {W}], dtype={dtype}"},
    {"aten::ones", "[{R}, {W}], dtype={dtype}"},
    {"aten::full", "[{R}, {W}], 2, dtype={dtype}"},
    {"aten::new_zeros", "x, [{W}, 2]"},
    {"aten::new_ones", "x, [{W}, 2]"},
    {"aten::new_full", "x, [{W}, 2], 3"},
    {"aten::_efficientzerotensor", "[{R}, {W}], dtype={dtype}"},
    {"aten::fill.Tensor", "x, o"},
    {"aten::scalar_tensor", "2, dtype={dtype}"},
    {"aten::arange", "{W}, dtype={dtype}"},
    {"aten::arange.start", "2, {W2}, dtype={dtype}"},
    {"aten::arange.start_step", "1, {W2}, 2, dtype={dtype}"},
    {"aten::eye", "{W}, dtype={dtype}"},
    {"aten::eye.m", "{W}, 5, dtype={dtype}"},
    {"aten::tril", "x, 1"},
    {"aten::triu", "x, -1"},
    {"aten::view", "x, [-1]"},
    {"aten::_unsafe_view", "x, [1, {R}, {W}]"},
    {"aten::reshape", "x, [{W}, {R}]"},
    {"aten::_reshape_alias", "x, [1, {R}, {W}], [{RW}, {W}, 1]"},
    {"aten::view_copy", "x, [-1, 1]"},
    {"aten::unsqueeze", "x, 1"},
    {"aten::permute", "x, [3, 0, 2, 1]", kImage},
    {"aten::transpose.int", "x, 0, 1"},
    {"aten::expand", "x, [2, {R}, {W}]"},
    {"aten::expand", "s, [{R}, {W}]"},
    {"aten::slice.Tensor", "x, 1, 1, 1000, 2"},
    {"aten::select.int", "x, 0, -1"},
    {"aten::diagonal", "x, 1"},
    {"aten::unfold", "x, 1, 1, 1"},
    {"aten::index_select", "x, 0, v"},
    {"aten::index_select", "x, -1, v"},
    {"aten::gather", "x, 1, i"},
    {"aten::embedding", "x, v"},
    {"aten::take", "x, i"},
    {"aten::take", "x, k"},
    {"aten::avg_pool2d", "x, [2, 1], [1, 1], [1, 0]", kImage},
    {"aten::max_pool2d_with_indices", "x, [2, 1], [1, 1], [1, 0]", kImage},
    {"aten::avg_pool2d_backward", "x, x, [1, 1], [1, 1], [0, 0], False, True, None", kImage},
    {"aten::_adaptive_avg_pool2d", "x, [2, 1]", kImage},
    {"aten::_adaptive_avg_pool2d", "x, [1, 1]", kImage},
    {"aten::upsample_nearest2d", "x, [5, {W2}]", kImage},
    {"aten::upsample_bilinear2d", "x, [5, {W2}], False", kImage},
    {"aten::upsample_bilinear2d", "x, [5, {W2}], True", kImage},
    {"aten::logsumexp", "x, [-1]"},
    {"aten::logsumexp", "x, [0, 2], True", kImage},
    {"aten::upsample_nearest2d_backward", "x, [3, {W}], [2, 4, 1, {W}]", kImage},
    {"aten::upsample_nearest2d_backward.vec", "x, [3, {W}], [2, 4, 3, {W}], None", kImage},
    {"aten::index.Tensor", "x, [None, v]"},
    {"aten::index.Tensor", "x, [v]"},
    {"aten::index.Tensor", "x, [k]"},
    {"aten::index.Tensor", "x, [v, i]"},
    {"aten::index.Tensor", "x, [None, u, u]", kImage},
    {"aten::index.Tensor", "x, [u, None, u]", kImage},
    {"aten::index.Tensor", "x, [m]"},
    {"aten::max_pool2d_with_indices_backward", "x, y, [1, 1], [1, 1], [0, 0], [1, 1], False, n", kImage},
    {"aten::upsample_nearest2d.vec", "x, [5, {W2}], None", kImage},
    {"aten::upsample_bilinear2d.vec", "x, [5, {W2}], False, None", kImage},
    {"aten::_adaptive_avg_pool2d_backward", "x, y", kImage},
    {"aten::mse_loss", "x, y, 1"},
    {"aten::mse_loss_backward", "o, x, y, 1"},
    {"aten::l1_loss", "x, y"},
    {"aten::smooth_l1_loss", "x, y, 1, 0.5"},
    {"aten::smooth_l1_loss_backward", "o, x, y, 1, 0.5"},
    {"aten::huber_loss", "x, y, 1, 0.5"},
    {"aten::huber_loss_backward", "o, x, y, 1, 0.5"},
};

/// What a number that has no default is, by its name.
std::string NumberFor(const c10::Argument& argument) {
  static const std::map<std::string_view, std::string_view> kByName = {
      {"dim", "-1"}, {"min", "0"},     {"max", "2"},        {"negative_slope", "0.2"},  {"threshold", "20"},
      {"beta", "1"}, {"lambd", "0.5"}, {"keepdim", "True"}, {"self_is_result", "False"}};
  if (argument.type()->kind() == c10::TypeKind::BoolType) return "True";
  const auto known = kByName.find(argument.name());
  return known == kByName.end() ? "2" : std::string(known->second);
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
  static const std::map<at::ScalarType, std::string> kNames = {
      {at::kFloat, "float32"}, {at::kDouble, "float64"}, {at::kBFloat16, "bfloat16"}, {at::kHalf, "float16"},
      {at::kChar, "int8"},     {at::kByte, "uint8"},     {at::kShort, "int16"},       {at::kInt, "int32"},
      {at::kLong, "int64"},    {at::kBool, "bool"}};
  return "torch." + kNames.at(dtype);
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
    for (const compiler::lower::Rule& rule : family.rules) {
      const size_t before = cases.size();
      for (const Row& row : kTable)
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
