// SPDX-License-Identifier: Apache-2.0
#include "minify/order/simpler_operator.h"

#include <algorithm>
#include <span>
#include <string_view>
#include <unordered_map>

namespace culprit::minify {
namespace {

using Names = std::span<const std::string_view>;

constexpr std::string_view kUnary[] = {"aten::abs",
                                       "aten::acos",
                                       "aten::acosh",
                                       "aten::asin",
                                       "aten::asinh",
                                       "aten::atan",
                                       "aten::atanh",
                                       "aten::ceil",
                                       "aten::celu",
                                       "aten::cos",
                                       "aten::cosh",
                                       "aten::digamma",
                                       "aten::elu",
                                       "aten::erf",
                                       "aten::erfc",
                                       "aten::erfinv",
                                       "aten::exp",
                                       "aten::exp2",
                                       "aten::expm1",
                                       "aten::floor",
                                       "aten::frac",
                                       "aten::gelu",
                                       "aten::hardsigmoid",
                                       "aten::hardswish",
                                       "aten::hardtanh",
                                       "aten::leaky_relu",
                                       "aten::lgamma",
                                       "aten::log",
                                       "aten::log10",
                                       "aten::log1p",
                                       "aten::log2",
                                       "aten::log_sigmoid",
                                       "aten::mish",
                                       "aten::reciprocal",
                                       "aten::relu6",
                                       "aten::round",
                                       "aten::rsqrt",
                                       "aten::selu",
                                       "aten::sgn",
                                       "aten::sigmoid",
                                       "aten::sign",
                                       "aten::silu",
                                       "aten::sin",
                                       "aten::sinc",
                                       "aten::sinh",
                                       "aten::softplus",
                                       "aten::sqrt",
                                       "aten::square",
                                       "aten::tan",
                                       "aten::tanh",
                                       "aten::trunc",
                                       "aten::clamp",
                                       "aten::clip",
                                       "aten::clamp_min",
                                       "aten::clamp_max",
                                       "aten::hardshrink",
                                       "aten::softshrink",
                                       "aten::_softmax",
                                       "aten::_log_softmax",
                                       "aten::softmax.int",
                                       "aten::log_softmax.int"};
constexpr std::string_view kSimpleUnary[] = {"aten::neg", "aten::relu"};

constexpr std::string_view kUnaryInPlace[] = {
    "aten::abs_",         "aten::ceil_",      "aten::clamp_",    "aten::cos_",        "aten::elu_",
    "aten::erf_",         "aten::exp_",       "aten::floor_",    "aten::frac_",       "aten::gelu_",
    "aten::hardsigmoid_", "aten::hardswish_", "aten::hardtanh_", "aten::leaky_relu_", "aten::log_",
    "aten::neg_",         "aten::relu6_",     "aten::round_",    "aten::rsqrt_",      "aten::sigmoid_",
    "aten::silu_",        "aten::sin_",       "aten::sqrt_",     "aten::square_",     "aten::tan_",
    "aten::tanh_",        "aten::trunc_",     "aten::clip_",     "aten::clamp_min_"};
constexpr std::string_view kSimpleUnaryInPlace[] = {"aten::relu_"};

constexpr std::string_view kBinary[] = {"aten::atan2",
                                        "aten::copysign.Tensor",
                                        "aten::div.Tensor",
                                        "aten::fmax",
                                        "aten::fmin",
                                        "aten::fmod.Tensor",
                                        "aten::hypot",
                                        "aten::logaddexp",
                                        "aten::maximum",
                                        "aten::minimum",
                                        "aten::mul.Tensor",
                                        "aten::pow.Tensor_Tensor",
                                        "aten::remainder.Tensor",
                                        "aten::sub.Tensor",
                                        "aten::div.Tensor_mode"};
constexpr std::string_view kSimpleBinary[] = {"aten::add.Tensor"};

constexpr std::string_view kBinaryInPlace[] = {"aten::mul_.Tensor", "aten::div_.Tensor", "aten::sub_.Tensor"};
constexpr std::string_view kSimpleBinaryInPlace[] = {"aten::add_.Tensor"};

constexpr std::string_view kWithNumber[] = {
    "aten::mul.Scalar",  "aten::div.Scalar",       "aten::sub.Scalar", "aten::pow.Tensor_Scalar",
    "aten::fmod.Scalar", "aten::remainder.Scalar", "aten::rsub.Scalar"};
constexpr std::string_view kSimpleWithNumber[] = {"aten::add.Scalar"};

struct Row {
  Names complex;
  Names simple;
};

constexpr Row kRows[] = {{kUnary, kSimpleUnary},
                         {kUnaryInPlace, kSimpleUnaryInPlace},
                         {kBinary, kSimpleBinary},
                         {kBinaryInPlace, kSimpleBinaryInPlace},
                         {kWithNumber, kSimpleWithNumber}};

using Simpler = std::vector<const graph::Operator*>;

void Add(std::unordered_map<const graph::Operator*, Simpler>& table, const Row& row) {
  Simpler simpler;
  for (const std::string_view name : row.simple) simpler.insert(simpler.begin(), &graph::Operator::Get(name));
  for (const std::string_view name : row.complex) {
    const size_t dot = std::min(name.find('.'), name.size());
    const std::string_view overload = name.substr(std::min(dot + 1, name.size()));
    if (const graph::Operator* op = graph::Operator::Find(name.substr(0, dot), overload)) table[op] = simpler;
  }
  while (!simpler.empty()) {
    const graph::Operator* const op = simpler.back();
    simpler.pop_back();
    table[op] = simpler;
  }
}

/// Sizes are asked for all nodes again and again, so names are looked up once.
const Simpler& SimplerOnes(const graph::Operator& op) {
  static const auto table = [] {
    std::unordered_map<const graph::Operator*, Simpler> all;
    for (const Row& row : kRows) Add(all, row);
    return all;
  }();
  static const Simpler none;
  const auto found = table.find(&op);
  return found == table.end() ? none : found->second;
}

}  // namespace

size_t ComplexityOf(const graph::Operator& op) {
  return SimplerOnes(op).size();
}

const std::vector<const graph::Operator*>& SimplerThan(const graph::Operator& op) {
  return SimplerOnes(op);
}

}  // namespace culprit::minify
