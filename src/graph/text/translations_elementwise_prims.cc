// SPDX-License-Identifier: Apache-2.0
//
// prims::* that work element by element: the same names in ATen, which also promotes types.
#include "graph/text/translation_lists.h"

namespace culprit::graph::text {
namespace {

constexpr Translation kRows[] = {
    {"prims::abs", "self", "", "return aten.abs.default(self)"},
    {"prims::acos", "self", "", "return aten.acos.default(self)"},
    {"prims::acosh", "self", "", "return aten.acosh.default(self)"},
    {"prims::asin", "self", "", "return aten.asin.default(self)"},
    {"prims::asinh", "self", "", "return aten.asinh.default(self)"},
    {"prims::atan", "self", "", "return aten.atan.default(self)"},
    {"prims::atanh", "self", "", "return aten.atanh.default(self)"},
    {"prims::bitwise_not", "self", "", "return aten.bitwise_not.default(self)"},
    {"prims::ceil", "self", "", "return aten.ceil.default(self)"},
    {"prims::conj", "self", "", "return aten.conj.default(self)"},
    {"prims::conj_physical", "self", "", "return aten.conj_physical.default(self)"},
    {"prims::cos", "self", "", "return aten.cos.default(self)"},
    {"prims::cosh", "self", "", "return aten.cosh.default(self)"},
    {"prims::digamma", "self", "", "return aten.digamma.default(self)"},
    {"prims::erf", "self", "", "return aten.erf.default(self)"},
    {"prims::erf_inv", "self", "", "return aten.erfinv.default(self)"},
    {"prims::erfc", "self", "", "return aten.erfc.default(self)"},
    {"prims::erfcx", "self", "", "return aten.special_erfcx.default(self)"},
    {"prims::exp", "self", "", "return aten.exp.default(self)"},
    {"prims::exp2", "self", "", "return aten.exp2.default(self)"},
    {"prims::expm1", "self", "", "return aten.expm1.default(self)"},
    {"prims::floor", "self", "", "return aten.floor.default(self)"},
    {"prims::imag", "self", "", "return aten.imag.default(self)"},
    {"prims::isfinite", "self", "", "return aten.isfinite.default(self)"},
    {"prims::lgamma", "self", "", "return aten.lgamma.default(self)"},
    {"prims::log", "self", "", "return aten.log.default(self)"},
    {"prims::log10", "self", "", "return aten.log10.default(self)"},
    {"prims::log1p", "self", "", "return aten.log1p.default(self)"},
    {"prims::log2", "self", "", "return aten.log2.default(self)"},
    {"prims::ndtri", "self", "", "return aten.special_ndtri.default(self)"},
    {"prims::neg", "self", "", "return aten.neg.default(self)"},
    {"prims::real", "self", "", "return aten.real.default(self)"},
    {"prims::reciprocal", "self", "", "return aten.reciprocal.default(self)"},
    {"prims::round", "self", "", "return aten.round.default(self)"},
    {"prims::rsqrt", "self", "", "return aten.rsqrt.default(self)"},
    {"prims::sign", "self", "", "return aten.sign.default(self)"},
    {"prims::signbit", "self", "", "return aten.signbit.default(self)"},
    {"prims::sin", "self", "", "return aten.sin.default(self)"},
    {"prims::sinh", "self", "", "return aten.sinh.default(self)"},
    {"prims::sqrt", "self", "", "return aten.sqrt.default(self)"},
    {"prims::tan", "self", "", "return aten.tan.default(self)"},
    {"prims::tanh", "self", "", "return aten.tanh.default(self)"},
    {"prims::trunc", "self", "", "return aten.trunc.default(self)"},
    {"prims::fill", "self, value", "", "return aten.fill.Scalar(self, value)"},

    {"prims::add", "self, other", "", "return aten.add.Tensor(self, other)"},
    {"prims::atan2", "self, other", "", "return aten.atan2.default(self, other)"},
    {"prims::bitwise_and", "self, other", "", "return aten.bitwise_and.Tensor(self, other)"},
    {"prims::bitwise_or", "self, other", "", "return aten.bitwise_or.Tensor(self, other)"},
    {"prims::bitwise_xor", "self, other", "", "return aten.bitwise_xor.Tensor(self, other)"},
    {"prims::div", "self, other", "", "return aten.div.Tensor(self, other)"},
    {"prims::eq", "self, other", "", "return aten.eq.Tensor(self, other)"},
    {"prims::fmax", "self, other", "", "return aten.fmax.default(self, other)"},
    {"prims::fmin", "self, other", "", "return aten.fmin.default(self, other)"},
    {"prims::fmod", "self, other", "", "return aten.fmod.Tensor(self, other)"},
    {"prims::gcd", "self, other", "", "return aten.gcd.default(self, other)"},
    {"prims::ge", "self, other", "", "return aten.ge.Tensor(self, other)"},
    {"prims::gt", "self, other", "", "return aten.gt.Tensor(self, other)"},
    {"prims::hypot", "self, other", "", "return aten.hypot.default(self, other)"},
    {"prims::le", "self, other", "", "return aten.le.Tensor(self, other)"},
    {"prims::lt", "self, other", "", "return aten.lt.Tensor(self, other)"},
    {"prims::maximum", "self, other", "", "return aten.maximum.default(self, other)"},
    {"prims::minimum", "self, other", "", "return aten.minimum.default(self, other)"},
    {"prims::mul", "self, other", "", "return aten.mul.Tensor(self, other)"},
    {"prims::ne", "self, other", "", "return aten.ne.Tensor(self, other)"},
    {"prims::nextafter", "self, other", "", "return aten.nextafter.default(self, other)"},
    {"prims::pow", "self, other", "", "return aten.pow.Tensor_Tensor(self, other)"},
    {"prims::remainder", "self, other", "", "return aten.remainder.Tensor(self, other)"},
    {"prims::shift_left", "self, other", "", "return aten.bitwise_left_shift.Tensor(self, other)"},
    {"prims::shift_right_arithmetic", "self, other", "",
     "return aten.bitwise_right_shift.Tensor(self, other)"},
    {"prims::sub", "self, other", "", "return aten.sub.Tensor(self, other)"},
};

}  // namespace

std::span<const Translation> ElementwisePrimsTranslations() {
  return kRows;
}

}  // namespace culprit::graph::text
