// SPDX-License-Identifier: Apache-2.0
//
// The library fmt, compiled once from the headers that PyTorch brings: with no second copy in the process,
// and none that has to be installed.
#include <fmt/format-inl.h>

FMT_BEGIN_NAMESPACE

template auto locale_ref::get<std::locale>() const -> std::locale;

namespace detail {

template auto thousands_sep_impl<char>(locale_ref) -> thousands_sep_result<char>;
template auto decimal_point_impl(locale_ref) -> char;

}  // namespace detail
FMT_END_NAMESPACE
