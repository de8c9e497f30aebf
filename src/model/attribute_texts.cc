// SPDX-License-Identifier: Apache-2.0
#include "model/attribute_texts.h"

#include <fmt/format.h>

#include <regex>

#include "graph/text/syntax/source.h"

namespace culprit::model {

using base::Result;

const AttributeText* ClassTexts::Find(const std::string& class_name, const std::string& attribute) const {
  const auto found = values.find({class_name, attribute});
  return found == values.end() ? nullptr : &found->second;
}

Result<ClassTexts> FindClasses(const std::string& path, std::string_view text) {
  static const std::regex class_line(R"(class\s+([A-Za-z_]\w*)\s*(\(\s*(\w+)\s*\))?\s*:\s*(#.*)?)");
  static const std::regex attribute_line(R"(\s+([A-Za-z_]\w*)\s*:\s*([^#]*)#\s*=\s*(.*))");
  // Long lines are no declarations, and std::regex recurses once per character.
  constexpr size_t kLongestLine = 4096;
  ClassTexts classes;
  std::string current;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = text.substr(begin, end - begin);
    std::cmatch match;
    const char* last = line.data() + std::min(line.size(), kLongestLine);
    if (line.starts_with("class ") && std::regex_match(line.data(), last, match, class_line)) {
      current = match[1];
      ++classes.count;
      if (match[3] == "Module") classes.last_module = current;
    } else if (line.find("# =") != std::string_view::npos &&
               std::regex_match(line.data(), last, match, attribute_line)) {
      if (current.empty())
        return graph::text::Source(path, text)
            .Error(begin, "a value for an attribute, but no class before it");
      const size_t value = begin + static_cast<size_t>(match.position(3));
      classes.values[{current, match[1]}] = {value, end};
    }
    begin = end + 1;
  }
  return classes;
}

}  // namespace culprit::model
