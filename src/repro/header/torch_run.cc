// SPDX-License-Identifier: Apache-2.0
#include "repro/header/torch_run.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/text.h"
#include "graph/text/syntax/call_view.h"
#include "graph/text/syntax/string_literal.h"
#include "graph/text/syntax/token_stream.h"
#include "repro/header/inductor_config.h"

namespace culprit::repro {
namespace {

using graph::text::CallView;
using graph::text::ExpressionArena;

constexpr std::string_view kConfig = "torch._inductor.config.";
constexpr std::string_view kCall = "run_repro(";
/// PyTorch 2.1 writes the call behind it.
constexpr std::string_view kNoGrad = "with torch.no_grad():";

/// Files with the main part of PyTorch's repros, and files without it, as people paste them.
bool IsAfterAot(std::string_view text) {
  return text.find("torch._dynamo.repro.after_aot") != std::string_view::npos ||
         text.find("\nisolate_fails_code_str") != std::string_view::npos;
}

std::string_view Trimmed(std::string_view text) {
  const size_t begin = text.find_first_not_of(" \t\r");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

/// `\` and `,` as a backend's text has them (backend/spec.h).
std::string Escaped(std::string_view value) {
  std::string escaped;
  for (const char c : value) {
    if (c == ',' || c == '\\') escaped += '\\';
    escaped += c;
  }
  return escaped;
}

class Reader {
 public:
  Reader(const std::string& file, std::string_view text, bool trust)
      : file_(file), text_(text), trust_(trust) {}

  TorchRun Read() {
    for (size_t begin = 0; begin < text_.size();) {
      const size_t end = std::min(text_.find('\n', begin), text_.size());
      ReadLine(text_.substr(begin, end - begin), begin);
      begin = end + 1;
    }
    run_.backend = fmt::format("inductor:{}", fmt::join(options_, ","));
    Warn(untrusted_, "needs --trust: a file may not choose programs, folders or caches",
         "if you trust it, add: --trust");
    Warn(unreadable_, "has a value that is no boolean, number, text or None", "");
    return std::move(run_);
  }

 private:
  void ReadLine(std::string_view line, size_t offset) {
    std::string_view trimmed = Trimmed(line);
    if (trimmed.starts_with(kNoGrad)) trimmed = Trimmed(trimmed.substr(kNoGrad.size()));
    if (trimmed.starts_with(kConfig)) {
      const size_t equals = trimmed.find('=');
      if (equals == std::string_view::npos) return;
      ReadEntry(Trimmed(trimmed.substr(kConfig.size(), equals - kConfig.size())),
                Trimmed(trimmed.substr(equals + 1)));
    } else if (trimmed.starts_with(kCall)) {
      ReadCall(offset + line.find(kCall));
    }
  }

  void ReadEntry(std::string_view name, std::string_view text) {
    // PyTorch turns it on for its own use when it runs the file, which compiles another program.
    if (name == "generate_intermediate_hooks") return;
    const ConfigEntry entry = ReadConfigEntry(name, text);
    if (entry.is_default || entry.has_acted) return;
    if (!entry.value)
      unreadable_.emplace_back(name);
    else if (entry.is_harmless || trust_)
      options_.push_back(fmt::format("{}={}", name, Escaped(*entry.value)));
    else
      untrusted_.emplace_back(name);
  }

  void ReadCall(size_t offset) {
    // A call that cannot be read says nothing.
    const graph::text::Source source(file_, text_);
    auto tokens = graph::text::TokenStream::Open(source, offset);
    if (!tokens.ok()) return;
    ExpressionArena arena;
    const auto call = graph::text::ParseSingleExpression(*tokens, arena);
    if (!call.ok()) return;
    const CallView view(arena, *call);
    const auto text = [&](const char* keyword) -> std::string {
      const auto argument = view.Keyword(keyword);
      return argument ? std::string(arena[*argument].text) : "";
    };
    run_.accuracy = AccuracyOf(text("accuracy"), text("command"));
    run_.check_text = graph::text::StringFromText(text("check_str")).value_or("");
    run_.has_symbols = text("tracing_mode") == "'symbolic'";
    run_.save_dir = graph::text::StringFromText(text("save_dir")).value_or("");
  }

  /// Launchers without it were written since something threw. Other files without it do not say whether
  /// numbers matter. `accuracy` leaves out integers lest a search drift to them; a signature prevents that.
  static std::optional<Accuracy> AccuracyOf(std::string_view accuracy, std::string_view command) {
    if (accuracy == "True" || accuracy == "'accuracy'" || accuracy == "'strict_accuracy'")
      return Accuracy::kStrict;
    if (command == "'minify'" || command == "'minifier-query'") return Accuracy::kOff;
    return std::nullopt;
  }

  void Warn(const std::vector<std::string>& names, const char* why, std::string help) {
    if (names.empty()) return;
    base::Diagnostic warning{
        {file_}, fmt::format("left out of its configuration of Inductor: {}", base::FirstOf(names))};
    warning.notes.push_back(fmt::format("{} {}", names.size() == 1 ? "it" : "each", why));
    warning.help = std::move(help);
    run_.warnings.push_back(std::move(warning));
  }

  const std::string& file_;
  std::string_view text_;
  bool trust_;
  TorchRun run_;
  std::vector<std::string> options_ = {"graphs=below"};
  std::vector<std::string> untrusted_;
  std::vector<std::string> unreadable_;
};

}  // namespace

std::optional<TorchRun> ReadTorchRun(const std::string& file, std::string_view text, bool trust) {
  if (!IsAfterAot(text)) return std::nullopt;
  return Reader(file, text, trust).Read();
}

}  // namespace culprit::repro
