// SPDX-License-Identifier: Apache-2.0
#include "cli/isolated_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/child_streams.h"
#include "cli/command.h"
#include "cli/command_line.h"
#include "cli/piped_input.h"
#include "isolate/zygote.h"
#include "process/renew_threads.h"

namespace culprit::cli {
namespace {

using nlohmann::json;

std::vector<std::string>& Remembered() {
  static std::vector<std::string> words;
  return words;
}

bool in_child = false;

/// Words are any bytes but these.
std::vector<std::string> SplitAtZeros(std::string_view text) {
  std::vector<std::string> parts;
  while (true) {
    const size_t end = text.find('\0');
    parts.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

isolate::Message RunCommandTask(const isolate::Message& request) {
  in_child = true;
  process::RenewThreads();
  std::vector<std::string> words = SplitAtZeros(request.bytes);
  const std::string piped = words.front();
  words.erase(words.begin());
  std::vector<char*> argv;
  argv.reserve(words.size());
  for (std::string& word : words) argv.push_back(word.data());
  if (!request.attachments.empty()) UseAsStandardInput(*request.attachments[0], piped);
  CapturedPrints prints;
  int status = kInternal;
  try {
    status = RunCommandLine(static_cast<int>(argv.size()), argv.data());
  } catch (const std::exception& error) {
    fmt::print(stderr, "culprit: internal error: {}\n", error.what());
  }
  // Both are any bytes, since files are.
  const auto [out, err] = prints.Take();
  return {json{{"status", status}, {"out", out.size()}}.dump() + "\n" + out + err};
}

constexpr isolate::Task kTasks[] = {{"command", &RunCommandTask}};

/// One for all commands of this process.
base::Result<std::shared_ptr<const isolate::Zygote>> TheZygote() {
  static const auto zygote = isolate::Zygote::Start(kTasks);
  return zygote;
}

base::Result<isolate::Outcome> Ask(const std::vector<std::string>& words, const isolate::Limits& limits) {
  isolate::Message request;
  const auto zygote = CULPRIT_TRY(TheZygote());
  if (const auto piped = std::find_if(words.begin() + 1, words.end(), IsPiped); piped != words.end()) {
    request.bytes = *piped;
    request.attachments.push_back(CULPRIT_TRY(PipedContents(*piped)));
  }
  for (const std::string& word : words) request.bytes += '\0' + word;
  return zygote->RunFresh("command", request, limits);
}

ChildPrints PrintsOf(const isolate::Outcome& outcome, const std::string& answer, const char* program) {
  const size_t line = answer.find('\n');
  const json head = json::parse(answer.substr(0, line));
  const std::string_view text = std::string_view(answer).substr(line + 1);
  const size_t out = head.at("out");
  std::string err(text.substr(out));
  if (!outcome.output.empty())
    err += fmt::format("note: the {} printed:\n{}", program, PrintableLines(outcome.output));
  return {head.at("status"), std::string(text.substr(0, out)), std::move(err)};
}

base::Diagnostic DeathOf(const isolate::Outcome& outcome) {
  base::Diagnostic error{{"culprit"}, "the child that opened the file died: " + outcome.ToString()};
  if (!outcome.output.empty()) error.notes.push_back("it had printed:" + LinesBelow(outcome.output));
  return error;
}

}  // namespace

void RememberCommandLine(int argc, char** argv) {
  Remembered().assign(argv, argv + argc);
}

const std::vector<std::string>& CommandLine() {
  return Remembered();
}

int Relay(const ChildPrints& prints) {
  const bool written = std::fwrite(prints.out.data(), 1, prints.out.size(), stdout) == prints.out.size() &&
                       std::fflush(stdout) == 0;
  const int error = errno;
  std::fwrite(prints.err.data(), 1, prints.err.size(), stderr);
  if (written) return prints.status;
  fmt::print(stderr, "culprit: error: the output cannot be written: {}\n", std::strerror(error));
  return kInternal;
}

bool InChild() {
  return in_child;
}

int RunInChild(const isolate::Limits& limits) {
  const base::Result<ChildPrints> prints = RunWordsInChild(CommandLine(), limits);
  return prints.ok() ? Relay(*prints) : Fail(prints.error(), kFailure);
}

base::Result<ChildEnding> EndingInChild(const std::vector<std::string>& words,
                                        const isolate::Limits& limits) {
  isolate::Outcome outcome = CULPRIT_TRY(Ask(words, limits));
  if (const auto* result = std::get_if<isolate::Result>(&outcome.ending))
    return ChildEnding(
        PrintsOf(outcome, result->message.bytes, words.at(1) == "explain" ? "model" : "compiler"));
  return ChildEnding(std::move(outcome));
}

base::Result<ChildPrints> RunWordsInChild(const std::vector<std::string>& words,
                                          const isolate::Limits& limits) {
  const ChildEnding ending = CULPRIT_TRY(EndingInChild(words, limits));
  if (const auto* death = std::get_if<isolate::Outcome>(&ending)) return DeathOf(*death);
  return std::get<ChildPrints>(ending);
}

}  // namespace culprit::cli
