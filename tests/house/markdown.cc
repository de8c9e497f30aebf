// SPDX-License-Identifier: Apache-2.0
#include "tests/house/markdown.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <map>
#include <regex>
#include <set>

namespace culprit::tests {
namespace {

/// Calls `visit(number, line)` for the lines outside of code blocks.
void ForEachProseLine(std::string_view markdown, const auto& visit) {
  bool in_code = false;
  size_t number = 0;
  for (const std::string_view line : Lines(markdown)) {
    ++number;
    const bool fence = line.starts_with("```");
    if (fence) in_code = !in_code;
    if (!fence && !in_code) visit(number, line);
  }
}

/// As GitHub makes it: "Exit codes & more" => "exit-codes--more".
std::string AnchorOf(std::string_view heading) {
  std::string anchor;
  for (const char c : heading) {
    if (std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '-')
      anchor += static_cast<char>(std::tolower(c));
    if (c == ' ') anchor += '-';
  }
  return anchor;
}

std::set<std::string> AnchorsOf(std::string_view markdown) {
  std::set<std::string> anchors;
  ForEachProseLine(markdown, [&](size_t, std::string_view line) {
    const size_t level = line.find_first_not_of('#');
    const bool heading = level != 0 && level != std::string_view::npos && line[level] == ' ';
    if (heading) anchors.insert(AnchorOf(line.substr(level + 1)));
  });
  return anchors;
}

/// Files and the folders that hold them.
std::set<std::string> PathsOf(const std::vector<SourceFile>& files) {
  std::set<std::string> paths;
  for (const SourceFile& file : files) {
    for (std::string path = file.path; !path.empty();) {
      paths.insert(path);
      const size_t slash = path.rfind('/');
      path.resize(slash == std::string::npos ? 0 : slash);
    }
  }
  return paths;
}

class LinkCheck {
 public:
  explicit LinkCheck(const std::vector<SourceFile>& files) : paths_(PathsOf(files)) {
    for (const SourceFile& file : files) {
      if (file.path.ends_with(".md")) anchors_[file.path] = AnchorsOf(file.text);
    }
  }

  bool Resolves(const std::string& from, const std::string& target) const {
    if (std::regex_search(target, std::regex("^(https?|mailto):"))) return true;
    const size_t hash = target.find('#');
    std::string path = from;
    if (hash != 0) {
      const std::filesystem::path folder = std::filesystem::path(from).parent_path();
      path = (folder / target.substr(0, hash)).lexically_normal().generic_string();
      if (path.ends_with('/')) path.pop_back();
      if (!paths_.contains(path)) return false;
    }
    if (hash == std::string::npos) return true;
    const auto anchors = anchors_.find(path);
    return anchors != anchors_.end() && anchors->second.contains(target.substr(hash + 1));
  }

 private:
  std::set<std::string> paths_;
  std::map<std::string, std::set<std::string>> anchors_;
};

}  // namespace

std::vector<std::string> CheckLinks(const std::vector<SourceFile>& files) {
  static const std::regex link_pattern(R"(\]\(([^)\s]+)\))");
  const LinkCheck check(files);
  std::vector<std::string> violations;
  for (const SourceFile& file : files) {
    if (!file.path.ends_with(".md")) continue;
    ForEachProseLine(file.text, [&](size_t number, std::string_view line) {
      const std::string text(line);
      for (std::sregex_iterator link(text.begin(), text.end(), link_pattern), end; link != end; ++link) {
        if (!check.Resolves(file.path, (*link)[1]))
          violations.push_back(fmt::format("{}:{}: there is no {}", file.path, number, (*link)[1].str()));
      }
    });
  }
  return violations;
}

std::vector<CodeBlock> FindCodeBlocks(std::string_view markdown, std::string_view language) {
  const std::string fence = fmt::format("```{}", language);
  std::vector<CodeBlock> blocks;
  bool inside = false;
  size_t number = 0;
  for (const std::string_view line : Lines(markdown)) {
    ++number;
    if (line.starts_with("```")) {
      inside = line == fence;
      if (inside) blocks.push_back({number + 1, ""});
    } else if (inside) {
      blocks.back().text += fmt::format("{}\n", line);
    }
  }
  return blocks;
}

std::vector<ShownCommand> FindShownCommands(std::string_view markdown) {
  constexpr std::string_view kPrompt = "$ ";
  std::vector<ShownCommand> commands;
  for (const CodeBlock& block : FindCodeBlocks(markdown, "console")) {
    size_t number = block.line;
    for (const std::string_view line : Lines(block.text)) {
      if (line.starts_with(kPrompt)) {
        commands.push_back({number, std::string(line.substr(kPrompt.size())), ""});
      } else if (!commands.empty()) {
        commands.back().output += fmt::format("{}\n", line);
      }
      ++number;
    }
  }
  return commands;
}

}  // namespace culprit::tests
