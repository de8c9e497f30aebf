// SPDX-License-Identifier: Apache-2.0
#include "cli/isolated_command.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <span>

#include "base/text.h"
#include "check/query_task.h"
#include "cli/command.h"
#include "cli/command_line.h"
#include "isolate/zygote.h"

namespace culprit::cli {
namespace {

using nlohmann::json;

std::vector<std::string>& Remembered() {
  static std::vector<std::string> words;
  return words;
}

bool in_child = false;
/// Of a child, before the command's prints are caught.
FILE* log_out = nullptr;
FILE* log_err = nullptr;
/// Of a child: the file whose contents it has as standard input.
std::string& Piped() {
  static std::string file;
  return file;
}

/// Catches what is printed to one of the standard streams of C.
class CapturedStream {
 public:
  explicit CapturedStream(FILE*& stream) : stream_(stream), original_(stream) {
    stream_ = open_memstream(&data_, &size_);
    CULPRIT_CHECK(stream_ != nullptr, "there is no memory for the output");
  }
  std::string Take() {
    std::fclose(stream_);
    stream_ = original_;
    std::string text(data_, size_);
    std::free(data_);  // NOLINT: open_memstream's
    return text;
  }

 private:
  FILE*& stream_;
  FILE* original_;
  char* data_ = nullptr;
  size_t size_ = 0;
};

void ReadStandardInputFrom(const isolate::SharedMemory& memory) {
  const int file = memory.descriptor().number();
  lseek(file, 0, SEEK_SET);
  CULPRIT_CHECK(dup2(file, STDIN_FILENO) >= 0, "standard input cannot be replaced");
}

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
  std::vector<std::string> words = SplitAtZeros(request.bytes);
  Piped() = words.front();
  words.erase(words.begin());
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  if (!request.attachments.empty()) ReadStandardInputFrom(*request.attachments[0]);
  // Whoever dies does not flush.
  std::setvbuf(stdout, nullptr, _IONBF, 0);
  log_out = stdout;
  log_err = stderr;
  CapturedStream out(stdout);
  CapturedStream err(stderr);
  int status = kInternal;
  try {
    status = RunCommandLine(static_cast<int>(argv.size()), argv.data());
  } catch (const std::exception& error) {
    fmt::print(stderr, "culprit: internal error: {}\n", error.what());
  }
  // Both are any bytes, since files are.
  const std::string out_text = out.Take();
  const std::string err_text = err.Take();
  return {json{{"status", status}, {"out", out_text.size()}}.dump() + "\n" + out_text + err_text};
}

constexpr isolate::Task kTasks[] = {{"command", &RunCommandTask}, check::kQueryTask};

constexpr size_t kMostInput = size_t{1} << 28;

base::Result<std::shared_ptr<isolate::SharedMemory>> ReadWhole(FILE* stream) {
  std::string text;
  char buffer[1 << 16];
  // Whoever reads it refuses what is longer.
  while (text.size() <= kMostInput) {
    const size_t got = std::fread(buffer, 1, sizeof(buffer), stream);
    if (got == 0) break;
    text.append(buffer, got);
  }
  auto memory = CULPRIT_TRY(isolate::SharedMemory::Make(text.size()));
  std::memcpy(memory->data(), text.data(), text.size());
  return memory;
}

/// One for all commands of this process.
base::Result<std::shared_ptr<const isolate::Zygote>> TheZygote() {
  static const auto zygote = isolate::Zygote::Start(kTasks);
  return zygote;
}

/// Standard input, and what is no file but a pipe or the like: a child does not have it, and it can be read
/// once only.
bool IsPiped(const std::string& word) {
  struct stat facts = {};
  return word == "-" ||
         (stat(word.c_str(), &facts) == 0 && (S_ISFIFO(facts.st_mode) || S_ISCHR(facts.st_mode)));
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

ChildPrints PrintsOf(const isolate::Outcome& outcome, const std::string& answer) {
  const size_t line = answer.find('\n');
  const json head = json::parse(answer.substr(0, line));
  const std::string_view text = std::string_view(answer).substr(line + 1);
  const size_t out = head.at("out");
  std::string err(text.substr(out));
  if (!outcome.output.empty()) err += "note: the compiler printed:\n" + PrintableLines(outcome.output);
  return {head.at("status"), std::string(text.substr(0, out)), std::move(err)};
}

base::Diagnostic DeathOf(const isolate::Outcome& outcome) {
  base::Diagnostic error{{"culprit"}, "the child that opened the file died: " + outcome.ToString()};
  if (!outcome.output.empty()) error.notes.push_back("it had printed:\n" + PrintableLines(outcome.output));
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

CompilerOutput::CompilerOutput() : out_(stdout), err_(stderr) {
  if (log_out == nullptr) return;
  stdout = log_out;
  stderr = log_err;
}

CompilerOutput::~CompilerOutput() {
  std::fflush(stdout);
  stdout = out_;
  stderr = err_;
}

std::string PrintableLines(std::string_view text) {
  std::string lines;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    lines += "  " + base::Printable(text.substr(0, end)) + "\n";
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

bool IsPipedFile(const std::string& file) {
  return file == "-" || (in_child && file == Piped());
}

base::Result<std::shared_ptr<isolate::SharedMemory>> PipedContents(const std::string& file) {
  static std::map<std::string, base::Result<std::shared_ptr<isolate::SharedMemory>>> read;
  if (const auto found = read.find(file); found != read.end()) return found->second;
  FILE* stream = file == "-" ? stdin : std::fopen(file.c_str(), "rb");
  if (stream == nullptr)
    return base::Diagnostic{{file}, fmt::format("cannot be opened: {}", std::strerror(errno))};
  const auto contents = read.emplace(file, ReadWhole(stream)).first->second;
  if (stream != stdin) std::fclose(stream);
  return contents;
}

int RunInChild(const isolate::Limits& limits, const OnDeath& on_death) {
  const base::Result<isolate::Outcome> outcome = Ask(CommandLine(), limits);
  if (!outcome.ok()) return Fail(outcome.error(), kInternal);
  const auto* result = std::get_if<isolate::Result>(&outcome->ending);
  return result != nullptr ? Relay(PrintsOf(*outcome, result->message.bytes)) : on_death(*outcome);
}

int RunInChild(const isolate::Limits& limits) {
  return RunInChild(limits, [](const isolate::Outcome& outcome) { return Fail(DeathOf(outcome), kFailure); });
}

base::Result<ChildEnding> EndingInChild(const std::vector<std::string>& words,
                                        const isolate::Limits& limits) {
  isolate::Outcome outcome = CULPRIT_TRY(Ask(words, limits));
  if (const auto* result = std::get_if<isolate::Result>(&outcome.ending))
    return ChildEnding(PrintsOf(outcome, result->message.bytes));
  return ChildEnding(std::move(outcome));
}

base::Result<ChildPrints> RunWordsInChild(const std::vector<std::string>& words,
                                          const isolate::Limits& limits) {
  const ChildEnding ending = CULPRIT_TRY(EndingInChild(words, limits));
  if (const auto* death = std::get_if<isolate::Outcome>(&ending)) return DeathOf(*death);
  return std::get<ChildPrints>(ending);
}

}  // namespace culprit::cli
