// SPDX-License-Identifier: Apache-2.0
#include "repro/cpp/cpp_names.h"

#include <algorithm>
#include <string_view>

#include "graph/ir/fresh_names.h"
#include "repro/cpp/cpp_support.h"

namespace culprit::repro {
namespace {

// Keywords of C++, macros of the standard library, and what a program calls its own
// parts.
constexpr std::string_view kReserved[] = {
    "Forward",      "None",     "Run",       "STORE",        "Values",    "alignas",
    "alignof",      "and_eq",   "asm",       "at",           "auto",      "bitand",
    "bitor",        "bool",     "c10",       "case",         "catch",     "char",
    "char16_t",     "char32_t", "char8_t",   "co_await",     "co_return", "co_yield",
    "compl",        "concept",  "const",     "const_cast",   "consteval", "constexpr",
    "constinit",    "decltype", "default",   "delete",       "do",        "double",
    "dynamic_cast", "enum",     "errno",     "explicit",     "export",    "extern",
    "false",        "float",    "friend",    "goto",         "grad_mode", "inference_mode",
    "inline",       "int",      "int64_t",   "linux",        "long",      "mutable",
    "namespace",    "new",      "noexcept",  "not_eq",       "nullptr",   "operator",
    "or_eq",        "private",  "protected", "public",       "register",  "reinterpret_cast",
    "requires",     "short",    "signed",    "sizeof",       "static",    "static_assert",
    "static_cast",  "std",      "stderr",    "stdin",        "stdout",    "struct",
    "switch",       "template", "this",      "thread_local", "throw",     "true",
    "typedef",      "typeid",   "typename",  "uint64_t",     "union",     "unix",
    "unsigned",     "using",    "virtual",   "void",         "volatile",  "wchar_t",
    "xor",          "xor_eq",
};

bool IsStorage(std::string_view name) {
  constexpr std::string_view kStem = "storage";
  return name.starts_with(kStem) &&
         name.find_first_not_of("0123456789", kStem.size()) == std::string_view::npos;
}

// What libtorch's headers may have as a macro.
bool LooksLikeMacro(std::string_view name) {
  const bool has_lower_case =
      std::any_of(name.begin(), name.end(), [](char c) { return c >= 'a' && c <= 'z'; });
  return name.starts_with("__") || (name.size() > 2 && !has_lower_case && name != "_");
}

bool IsReserved(std::string_view name) {
  static const std::vector<std::string_view> support = CppSupportNames();
  return std::find(std::begin(kReserved), std::end(kReserved), name) != std::end(kReserved) ||
         std::find(support.begin(), support.end(), name) != support.end() || IsStorage(name) ||
         LooksLikeMacro(name);
}

}  // namespace

std::vector<std::string> CppNames(const graph::Graph& graph) {
  graph::FreshNames fresh(graph);
  std::vector<std::string> names;
  for (const graph::Value& value : graph.values())
    names.push_back(IsReserved(value.name) ? fresh.Derive(value.name) : value.name);
  return names;
}

}  // namespace culprit::repro
