// SPDX-License-Identifier: Apache-2.0
#include "tests/house/markdown.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace culprit::tests {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(DocumentationTest, EveryLinkLeadsSomewhere) {
  EXPECT_THAT(CheckLinks(ReadTree(".")), IsEmpty());
}

TEST(MarkdownTest, LinksToFilesFoldersAndHeadingsResolve) {
  EXPECT_THAT(CheckLinks({{"README.md",
                           "[a](docs/b.md) and [b](docs/) [c](#two-words) [d](docs/b.md#c)\n# Two words\n"},
                          {"docs/b.md", "[up](../README.md) [far](https://example.org/x)\n## c\n"}}),
              IsEmpty());
}

TEST(MarkdownTest, DeadLinksAreFound) {
  EXPECT_THAT(CheckLinks({{"docs/a.md",
                           "[x](b.md)\n[y](../docs/a.md#no) [z](#neither)\n```\n[in code](c.md)\n```\n"}}),
              ElementsAre("docs/a.md:1: there is no b.md", "docs/a.md:2: there is no ../docs/a.md#no",
                          "docs/a.md:2: there is no #neither"));
}

TEST(MarkdownTest, CommandsAreShownInConsoleBlocks) {
  const std::vector<ShownCommand> commands =
      FindShownCommands("```sh\n$ not this\n```\n```console\n$ one\nsays\nthis\n$ two\n```\nsays nothing\n");
  ASSERT_EQ(commands.size(), 2u);
  EXPECT_EQ(commands[0].line, 5u);
  EXPECT_EQ(commands[0].command, "one");
  EXPECT_EQ(commands[0].output, "says\nthis\n");
  EXPECT_EQ(commands[1].command, "two");
  EXPECT_EQ(commands[1].output, "");
}

}  // namespace
}  // namespace culprit::tests
