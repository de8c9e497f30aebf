// SPDX-License-Identifier: Apache-2.0
#include "model/compile_error.h"

#include <fmt/format.h>

#include <charconv>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "graph/tensors/torch_error.h"

namespace culprit::model {
namespace {

using base::Diagnostic;

constexpr std::string_view kFile = "  File \"";
constexpr std::string_view kLine = "\", line ";
constexpr std::string_view kOriginalCall = "The original call is:";

std::vector<std::string_view> Lines(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

std::string_view Trimmed(std::string_view line) {
  const size_t begin = std::min(line.find_first_not_of(' '), line.size());
  line.remove_prefix(begin);
  while (!line.empty() && (line.back() == ' ' || line.back() == ':' || line.back() == '.'))
    line.remove_suffix(1);
  return line;
}

/// The place that `lines`, from the one with the name of the file on, point at. The number of the line there
/// is that of the line which is marked.
void AddPlace(const std::vector<std::string_view>& lines, size_t file_line, const std::string& path,
              Diagnostic& diagnostic) {
  const std::string_view line = lines[file_line];
  const size_t name_end = line.rfind(kLine);
  if (name_end == std::string_view::npos) return;
  const std::string name(line.substr(kFile.size(), name_end - kFile.size()));
  const std::string_view digits = line.substr(name_end + kLine.size());
  std::from_chars(digits.data(), digits.data() + digits.size(), diagnostic.place.line);
  diagnostic.place.file = name == path ? path : fmt::format("{}: {}", path, base::Printable(name));
  for (size_t i = file_line + 2; i < lines.size(); ++i) {
    const size_t mark = lines[i].find('~');
    if (mark == std::string_view::npos ||
        lines[i].substr(0, mark).find_first_not_of(' ') != std::string_view::npos)
      continue;
    diagnostic.source_line = lines[i - 1];
    diagnostic.place.column = static_cast<uint32_t>(mark + 1);
    return;
  }
}

/// "[enforce fail at file.cc:165] . text (Could this error message be improved? ...)" => "text"
std::string_view WithoutNoise(std::string_view text) {
  constexpr std::string_view kEnforce = "[enforce fail at ";
  constexpr std::string_view kAfterEnforce = "] . ";
  const size_t end = text.find(kAfterEnforce);
  if (text.starts_with(kEnforce) && end != std::string_view::npos)
    text.remove_prefix(end + kAfterEnforce.size());
  return Trimmed(text.substr(0, text.find("(Could this error message be improved?")));
}

}  // namespace

Diagnostic CompileError(const std::string& path, const std::exception& error, std::string_view verb) {
  constexpr size_t kMostNotes = 8;
  const std::string message = graph::TorchMessage(error);
  const std::vector<std::string_view> lines = Lines(message);
  Diagnostic diagnostic{{path}, ""};
  std::vector<std::string> notes;
  for (size_t i = 0; i < lines.size(); ++i) {
    if (lines[i].starts_with(kFile)) {
      AddPlace(lines, i, path, diagnostic);
      break;
    }
    const std::string text = base::Printable(Trimmed(lines[i]));
    if (text.empty() || lines[i].starts_with(kOriginalCall) || text == "The following variants are available")
      continue;
    if (diagnostic.message.empty()) {
      diagnostic.message = fmt::format("cannot be {}: {}", verb, WithoutNoise(text));
    } else if (text.find("::") != std::string::npos || notes.empty()) {
      notes.push_back(text);
    } else {
      notes.back() += ": " + text;
    }
  }
  if (notes.size() > kMostNotes) {
    const size_t more = notes.size() - kMostNotes;
    notes.resize(kMostNotes);
    notes.push_back(fmt::format("and {} more", more));
  }
  diagnostic.notes = std::move(notes);
  const bool unknown = message.find("Unknown builtin op") != std::string::npos ||
                       message.find("Unknown type name '__torch__.torch.classes") != std::string::npos;
  if (unknown)
    diagnostic.help = "if a library of yours registers it, name that library before: --load-library LIB";
  return diagnostic;
}

}  // namespace culprit::model
