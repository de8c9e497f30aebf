// SPDX-License-Identifier: Apache-2.0
#include "repro/cpp/cpp_support.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "base/internal_error.h"
#include "repro/cpp/cpp_definitions.h"

namespace culprit::repro {
namespace {

struct Include {
  std::string_view header;
  /// Included where this is mentioned; everywhere if empty.
  std::string_view mention;
};

constexpr std::array<Include, 37> kIncludes = {{
    {"ATen/CPUGeneratorImpl.h", "CPUGenerator("},
    {"ATen/Context.h", "at::globalContext"},
    {"ATen/Parallel.h", "at::set_num_"},
    {"ATen/autocast_mode.h", "at::autocast::"},
    {"ATen/core/Generator.h", "at::Generator"},
    {"ATen/core/Tensor.h", ""},
    {"ATen/core/dispatch/Dispatcher.h", "c10::Dispatcher"},
    {"ATen/core/ivalue.h", ""},
    {"ATen/core/jit_type.h", "c10::OptionalType"},
    {"ATen/core/jit_type.h", "c10::NumberType"},
    {"ATen/ops/empty.h", "at::empty"},
    {"ATen/ops/rsub.h", "at::rsub"},
    {"ATen/ops/scalar_tensor.h", "at::scalar_tensor"},
    {"ATen/ops/sparse_coo_tensor.h", "at::sparse_coo_tensor"},
    {"ATen/quantized/QTensorImpl.h", "at::QTensorImpl"},
    {"ATen/quantized/Quantizer.h", "_affine_quantizer"},
    {"c10/core/DefaultDtype.h", "set_default_dtype"},
    {"c10/core/GradMode.h", "c10::AutoGradMode"},
    {"c10/core/InferenceMode.h", "c10::InferenceMode"},
    {"c10/util/Exception.h", ""},
    {"algorithm", "std::copy"},
    {"algorithm", "std::max"},
    {"algorithm", "std::min"},
    {"cmath", "INFINITY"},
    {"cmath", "NAN"},
    {"cmath", "std::ceil"},
    {"cmath", "std::floor"},
    {"cmath", "std::pow"},
    {"cmath", "std::sqrt"},
    {"cmath", "std::trunc"},
    {"cstdio", ""},
    {"fstream", "std::ifstream"},
    {"limits", "std::numeric_limits"},
    {"string", ""},
    {"tuple", "std::tuple"},
    {"utility", "std::move"},
    {"vector", ""},
}};

bool IsPartOfName(char c) {
  return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool MentionsName(std::string_view text, std::string_view name) {
  for (size_t at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1)) {
    const size_t end = at + name.size();
    if ((at == 0 || !IsPartOfName(text[at - 1])) && (end == text.size() || !IsPartOfName(text[end])))
      return true;
  }
  return false;
}

std::string IncludesFor(std::string_view program) {
  // In the order of the table: libtorch first, then the standard library.
  std::set<std::string_view> seen;
  std::string torch;
  std::string standard;
  for (const Include& row : kIncludes) {
    if (program.find(row.mention) == std::string_view::npos || !seen.insert(row.header).second) continue;
    (row.header.find('/') == std::string_view::npos ? standard : torch) +=
        fmt::format("#include <{}>\n", row.header);
  }
  return torch + "\n" + standard;
}

// "at::Tensor On(const c10::Storage& storage) { ..." => "at::Tensor On(const c10::Storage& storage);"
std::string DeclarationOf(const CppDefinition& definition) {
  const size_t brace = definition.text.find(" {\n");
  CULPRIT_CHECK(brace != std::string_view::npos, "{} is no function", definition.name);
  return fmt::format("{}{};\n", definition.comment, definition.text.substr(1, brace - 1));
}

}  // namespace

CppSupport CppSupportFor(std::string_view body) {
  std::string program(body);
  std::vector<const CppDefinition*> wanted;
  // From the last one up, so that what a definition calls is found too.
  const auto all = AllCppDefinitions();
  for (auto definition = all.rbegin(); definition != all.rend(); ++definition) {
    if (!MentionsName(program, definition->name)) continue;
    wanted.push_back(&*definition);
    program += definition->text;
  }
  CppSupport support{.includes = IncludesFor(program)};
  for (auto definition = wanted.rbegin(); definition != wanted.rend(); ++definition) {
    support.declarations += DeclarationOf(**definition);
    support.definitions += (*definition)->text;
  }
  return support;
}

std::vector<std::string_view> CppSupportNames() {
  std::vector<std::string_view> names;
  for (const CppDefinition& definition : AllCppDefinitions()) names.push_back(definition.name);
  return names;
}

}  // namespace culprit::repro
