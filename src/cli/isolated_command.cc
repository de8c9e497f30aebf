// SPDX-License-Identifier: Apache-2.0
#include "cli/isolated_command.h"

#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "cli/child_streams.h"
#include "cli/command.h"
#include "cli/command_line.h"
#include "cli/piped_input.h"
#include "cli/print.h"
#include "cli/run_guarded.h"
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
  const int status = RunGuarded([&] { return RunCommandLine(static_cast<int>(argv.size()), argv.data()); });
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
  if (const std::string* piped = FindPiped(words)) {
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

}  // namespace

base::Diagnostic DeathOfChild(const isolate::Outcome& death) {
  base::Diagnostic error{{"culprit"}, "the child that opened the file died: " + death.ToString()};
  error.cause = base::Cause::kEnvironment;
  if (!death.output.empty()) error.notes.push_back("it had printed:" + LinesBelow(death.output));
  return error;
}

base::Status PrepareChildren() {
  CULPRIT_TRY(TheZygote());
  return base::Done{};
}

void RememberCommandLine(int argc, char** argv) {
  std::vector<std::string>& words = Remembered();
  words.assign(argv, argv + argc);
  const auto end_of_options = std::find(words.begin(), words.end(), "--");
  if (end_of_options == words.end()) return;
  // Options are added behind the words for children, so none may be the last.
  for (auto word = words.erase(end_of_options); word != words.end(); ++word) {
    if (word->size() > 1 && word->starts_with('-')) word->insert(0, "./");
  }
}

const std::vector<std::string>& CommandLine() {
  return Remembered();
}

int Relay(const ChildPrints& prints) {
  WriteOut(prints.out);
  WriteMessage(prints.err);
  return prints.status;
}

bool InChild() {
  return in_child;
}

int RunInChild(const isolate::Limits& limits) {
  const base::Result<ChildPrints> prints = RunWordsInChild(CommandLine(), limits);
  return prints.ok() ? Relay(*prints) : Fail(prints.error());
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
  if (const auto* death = std::get_if<isolate::Outcome>(&ending)) return DeathOfChild(*death);
  return std::get<ChildPrints>(ending);
}

}  // namespace culprit::cli
