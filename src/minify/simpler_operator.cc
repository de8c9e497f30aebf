// SPDX-License-Identifier: Apache-2.0
#include "minify/simpler_operator.h"

#include <algorithm>
#include <span>
#include <string_view>

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

/// How many of the row are simpler than the operator, and the row.
struct Place {
  const Row* row = nullptr;
  size_t simpler = 0;
};

Place PlaceOf(const graph::Operator& op) {
  const std::string name = op.qualified_name();
  for (const Row& row : kRows) {
    if (std::ranges::count(row.complex, name) > 0) return {&row, row.simple.size()};
    const auto simple = std::ranges::find(row.simple, name);
    if (simple != row.simple.end()) return {&row, static_cast<size_t>(row.simple.end() - simple - 1)};
  }
  return {};
}

}  // namespace

size_t ComplexityOf(const graph::Operator& op) {
  return PlaceOf(op).simpler;
}

std::vector<const graph::Operator*> SimplerThan(const graph::Operator& op) {
  const Place place = PlaceOf(op);
  std::vector<const graph::Operator*> simpler;
  for (size_t i = 0; i < place.simpler; ++i)
    simpler.push_back(&graph::Operator::Get(place.row->simple[place.row->simple.size() - 1 - i]));
  return simpler;
}

}  // namespace culprit::minify
