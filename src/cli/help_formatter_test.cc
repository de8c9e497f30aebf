// SPDX-License-Identifier: Apache-2.0
#include "cli/help_formatter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>

#include "base/internal_error.h"
#include "cli/command.h"

namespace culprit::cli {
namespace {

using testing::HasSubstr;

std::string PageOf(CLI::App& app) {
  app.formatter(std::make_shared<HelpFormatter>());
  return app.help();
}

TEST(HelpFormatterTest, ShowsEveryOptionThatACommandAccepts) {
  for (const Command* command : AllCommands()) {
    CLI::App app("", std::string(command->name));
    command->declare(app);
    const std::string page = PageOf(app);
    for (const CLI::Option* option : app.get_options()) {
      for (const std::string& name : option->get_lnames())
        EXPECT_THAT(page, HasSubstr("--" + name)) << command->name;
      for (const std::string& name : option->get_snames())
        EXPECT_THAT(page, HasSubstr("-" + name)) << command->name;
      if (option->get_positional()) EXPECT_THAT(page, HasSubstr(option->get_name())) << command->name;
    }
  }
}

TEST(HelpFormatterTest, NoOptionCanBeHidden) {
  CLI::App app("", "graph");
  app.add_flag("--for-children")->group("");
  EXPECT_THROW(PageOf(app), base::InternalError);
}

}  // namespace
}  // namespace culprit::cli
