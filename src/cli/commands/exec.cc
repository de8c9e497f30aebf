// SPDX-License-Identifier: Apache-2.0
//
// culprit exec [options] -- COMMAND: a Python program that is watched and does not know it. The settings go
// into the environment, and PyTorch itself loads the watcher at the end of `import torch` (entry point
// `torch.backends`).
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <memory>

#include "base/setting_table.h"
#include "base/settings.h"
#include "cli/command.h"
#include "cli/show/print.h"

namespace culprit::cli {
namespace {

constexpr const char* kMark = "CULPRIT_EXEC";
constexpr const char* kAutoload = "TORCH_DEVICE_BACKEND_AUTOLOAD";

struct Options {
  std::string after;
  std::string level;
  std::vector<std::string> settings;
  std::vector<std::string> command;
};

base::Result<base::SettingsPatch::Texts> SettingsOf(const Options& options) {
  base::SettingsPatch::Texts texts;
  if (!options.after.empty()) texts.emplace_back("repro_after", options.after);
  if (!options.level.empty()) texts.emplace_back("repro_level", options.level);
  for (const std::string& setting : options.settings) {
    const size_t equals = setting.find('=');
    if (equals == std::string::npos)
      return base::Diagnostic{{}, fmt::format("'{}' is no setting with a value: NAME=VALUE", setting)};
    texts.emplace_back(setting.substr(0, equals), setting.substr(equals + 1));
  }
  // What is wrong with them is said here, not in the program.
  CULPRIT_TRY(base::SettingsPatch::Make(texts));
  CULPRIT_TRY(base::CurrentSettings());
  return texts;
}

/// As this process got it: what libraries have put there since is theirs (process/startup).
void RestoreEnvironment() {
  std::ifstream file("/proc/self/environ");
  if (!file) return;
  clearenv();
  for (std::string entry; std::getline(file, entry, '\0');) {
    const size_t equals = entry.find('=');
    if (equals != std::string::npos) setenv(entry.substr(0, equals).c_str(), entry.c_str() + equals + 1, 1);
  }
}

void SetEnvironment(const base::SettingsPatch::Texts& texts) {
  for (const auto& [name, text] : texts)
    setenv(std::string((*base::FindSetting(name))->variable).c_str(), text.c_str(), 1);
  setenv(kMark, "1", 1);
  // The user's own choice would keep the watcher out.
  const char* autoload = std::getenv(kAutoload);
  if (autoload == nullptr || std::string_view(autoload) == "1") return;
  PrintErr("culprit: {}={} is not passed on: by it PyTorch loads the watcher\n", kAutoload, autoload);
  unsetenv(kAutoload);
}

int Run(Options options) {
  const base::Result<base::SettingsPatch::Texts> texts = SettingsOf(options);
  if (!texts.ok()) return Fail(texts.error());
  RestoreEnvironment();
  SetEnvironment(*texts);
  // What this program ignores is not the business of the next one.
  for (const int ignored : {SIGPIPE, SIGXFSZ}) std::signal(ignored, SIG_DFL);
  std::vector<char*> words;
  for (std::string& word : options.command) words.push_back(word.data());
  words.push_back(nullptr);
  execvp(words[0], words.data());
  return Fail(base::Diagnostic{{words[0]}, fmt::format("cannot be started: {}", std::strerror(errno))});
}

std::function<int()> Declare(CLI::App& app) {
  auto options = std::make_shared<Options>();
  app.add_option("--after", options->after,
                 "Which graphs are watched: dynamo, aot or auto (setting repro_after)");
  app.add_option("--level", options->level, "What for, from 0 to 4 (setting repro_level)");
  app.add_option("--set", options->settings, "Another setting, NAME=VALUE; any number of them")
      ->allow_extra_args(false);
  app.add_option("COMMAND", options->command, "The program and its arguments, behind --")->required();
  return [options] { return Run(*options); };
}

constexpr std::string_view kDescription =
    "Runs a Python program whose torch.compile is watched: the first failure of the compiler leaves a repro "
    "(docs/python.md). The program is not changed, and processes that it starts are watched too, so that "
    "torchrun works. The environment of that Python has to have the package culprit.\n\n"
    "TORCHDYNAMO_REPRO_AFTER and TORCHDYNAMO_REPRO_LEVEL mean --after and --level where those are not given; "
    "PyTorch's own minifier is off. The exit code is that of the program.";

constexpr Example kExamples[] = {
    {"culprit exec --level 4 -- python train.py --epochs 1", "Are the numbers of the compiler right?"},
    {"culprit exec --level 3 -- torchrun --nproc-per-node 2 train.py", "Leave a repro although it crashes"},
};

}  // namespace

const Command kExecCommand = {
    .name = "exec",
    .summary = "run a Python program and watch what torch.compile compiles",
    .description = kDescription,
    .examples = kExamples,
    .see_also = "culprit minify --help, culprit config --help",
    .declare = Declare,
};

}  // namespace culprit::cli
