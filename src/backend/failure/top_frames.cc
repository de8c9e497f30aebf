// SPDX-License-Identifier: Apache-2.0
#include "backend/failure/top_frames.h"

#include <cxxabi.h>

#include <algorithm>
#include <cstdlib>
#include <memory>

namespace culprit::backend {
namespace {

// By the beginning of the file's name.
constexpr std::string_view kSystemLibraries[] = {
    "libc.so",  "libc-", "libpthread", "libgcc_s", "libstdc++",
    "ld-linux", "ld-2",  "libgomp",    "libm.so",  "linux-vdso",
};

// What a crash passes through before anybody notices, and who called the compiler. Culprit's own compiler and
// backends are compilers like any other.
constexpr std::string_view kOthers[] = {
    "__",
    "_start",
    "_Unwind_",
    "abort",
    "gsignal",
    "main",
    "pthread_kill",
    "raise",
    "std::",
    "testing::",
    "culprit::backend::",
    "culprit::base::",
    "culprit::check::",
    "culprit::cli::",
    "culprit::explain::",
    "culprit::graph::",
    "culprit::hunt::",
    "culprit::isolate::",
    "culprit::open::",
    "culprit::process::",
    "culprit::tasks::",
};

std::string Demangled(const std::string& symbol) {
  // Others are demangled as types: "a" is char.
  if (!symbol.starts_with("_Z")) return symbol;
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> name(
      abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status), &std::free);
  return status == 0 ? std::string(name.get()) : symbol;
}

std::string_view WithoutOffset(std::string_view symbol) {
  symbol = symbol.substr(0, symbol.rfind("+0x"));
  return symbol.substr(0, symbol.find('@'));
}

/// operator<, operator->, operator() ... contain what would otherwise be a bracket.
size_t EndOfOperatorName(std::string_view name, size_t begin) {
  constexpr std::string_view kOperator = "operator";
  if (!name.substr(begin).starts_with(kOperator)) return begin;
  const size_t end = begin + kOperator.size();
  for (const std::string_view spelling :
       {"()", "<<=", ">>=", "<=>", "->*", "<<", ">>", "->", "<=", ">=", "<", ">"}) {
    if (name.substr(end).starts_with(spelling)) return end + spelling.size();
  }
  return begin;
}

/// Without what is in angle, round and square brackets.
std::string WithoutBrackets(std::string_view name) {
  constexpr std::string_view kAnonymous = "(anonymous namespace)::";
  std::string kept;
  int depth = 0;
  for (size_t i = 0; i < name.size(); ++i) {
    if (name.substr(i).starts_with(kAnonymous)) {
      i += kAnonymous.size() - 1;
      continue;
    }
    if (const size_t end = EndOfOperatorName(name, i); end != i && depth == 0) {
      kept += name.substr(i, end - i);
      i = end - 1;
      continue;
    }
    const char c = name[i];
    if (c == '<' || c == '(' || c == '[') ++depth;
    if (depth == 0) kept += c;
    if ((c == '>' || c == ')' || c == ']') && depth > 0) --depth;
  }
  return kept;
}

/// "mine::Lower const " => "mine::Lower".
void DropQualifiers(std::string& name) {
  constexpr std::string_view kQualifiers[] = {" const", " volatile", "&", " "};
  const auto ends_with = [&](std::string_view qualifier) { return name.ends_with(qualifier); };
  while (true) {
    const auto* found = std::ranges::find_if(kQualifiers, ends_with);
    if (found == std::end(kQualifiers)) return;
    name.resize(name.size() - found->size());
  }
}

bool BeginsWithAny(std::string_view text, std::span<const std::string_view> prefixes) {
  return std::ranges::any_of(prefixes, [&](std::string_view prefix) { return text.starts_with(prefix); });
}

bool IsWord(std::string_view symbol, std::string_view word) {
  return symbol.starts_with(word) &&
         (symbol.size() == word.size() || word.ends_with(':') || word.ends_with('_'));
}

bool BelongsToOthers(const NativeFrame& frame, std::string_view symbol) {
  const size_t slash = frame.library.rfind('/');
  const std::string_view file =
      std::string_view(frame.library).substr(slash == std::string::npos ? 0 : slash + 1);
  return BeginsWithAny(file, kSystemLibraries) ||
         std::ranges::any_of(kOthers, [&](std::string_view other) { return IsWord(symbol, other); });
}

}  // namespace

std::string NormalizeSymbol(std::string_view symbol) {
  std::string name = WithoutBrackets(Demangled(std::string(WithoutOffset(symbol))));
  DropQualifiers(name);
  // The return type of a template; conversions and operator new have a blank in their name.
  const size_t last_blank = name.find("operator") == std::string::npos ? name.rfind(' ') : std::string::npos;
  if (last_blank != std::string::npos) name.erase(0, last_blank + 1);
  // Copies: ".cold", ".isra.0", ".constprop.0".
  if (const size_t dot = name.find('.'); dot != std::string::npos && dot > 0) name.resize(dot);
  return name;
}

std::vector<std::string> TopFrames(std::span<const NativeFrame> stack) {
  std::vector<std::string> frames;
  for (const NativeFrame& frame : stack) {
    std::string symbol = NormalizeSymbol(frame.symbol);
    if (symbol.empty() || BelongsToOthers(frame, symbol)) continue;
    frames.push_back(std::move(symbol));
    if (frames.size() == kMostFrames) break;
  }
  return frames;
}

}  // namespace culprit::backend
