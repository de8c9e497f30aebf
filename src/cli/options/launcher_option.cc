// SPDX-License-Identifier: Apache-2.0
#include "cli/options/launcher_option.h"

namespace culprit::cli {

CLI::Option* DeclareLauncher(CLI::App& app, std::string& launcher) {
  return app
      .add_option("--launcher", launcher,
                  "Ask in workers elsewhere, one for each of --jobs, that this command starts, as in: "
                  "\"srun -n1 --mem=4G\" or \"ssh HOST\"; the command of a worker is added to it")
      ->type_name("COMMAND")
      ->check([](const std::string& text) {
        return text.find_first_not_of(' ') == std::string::npos ? "no command is named" : "";
      });
}

}  // namespace culprit::cli
