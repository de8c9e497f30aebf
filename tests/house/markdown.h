// SPDX-License-Identifier: Apache-2.0
//
// What the tests need to know of Markdown: links, headings, and blocks that show a session at the shell:
//
//   ```console
//   $ culprit graph net.py --stats       a command, in the root of the repository
//   operators     21 (...)               what it prints
//   ```
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tests/house/source_tree.h"

namespace culprit::tests {

/// One line per link in a *.md file whose target is not among `files`, or whose #anchor is not a heading of
/// its target. Links to other hosts are not followed.
std::vector<std::string> CheckLinks(const std::vector<SourceFile>& files);

struct CodeBlock {
  /// Of its first line, counted from 1.
  size_t line = 0;
  /// With line ends.
  std::string text;
};

/// The blocks that are marked with this language, in order.
std::vector<CodeBlock> FindCodeBlocks(std::string_view markdown, std::string_view language);

struct ShownCommand {
  size_t line = 0;
  std::string command;
  /// With line ends.
  std::string output;
};

/// The commands of all console blocks, in order.
std::vector<ShownCommand> FindShownCommands(std::string_view markdown);

}  // namespace culprit::tests
