// SPDX-License-Identifier: Apache-2.0
#include "cli/minify_question.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <thread>

#include "check/warm_up.h"
#include "cli/command.h"
#include "cli/repro_question.h"
#include "cli/shell_word.h"
#include "cli/spawn_self.h"
#include "cli/supervise.h"
#include "hunt/text_file.h"
#include "process/shared_library.h"
#include "repro/read_repro.h"

namespace culprit::cli {
namespace {

constexpr isolate::Task kTasks[] = {check::kQueryTask};

/// A failure that depends on what is in memory by chance may come back once.
constexpr int kMoreTimes = 9;

base::Result<minify::Program> ReadAgain(const std::string& path) {
  const std::string text = CULPRIT_TRY(hunt::ReadText(path));
  repro::LoadedRepro loaded = CULPRIT_TRY(repro::LoadRepro(CULPRIT_TRY(repro::OpenRepro(path, text))));
  return minify::Program{std::move(loaded.repro.graph), std::move(loaded.repro.inputs)};
}

size_t DefaultJobs() {
  return std::max<size_t>(1, std::thread::hardware_concurrency() / 2);
}

}  // namespace

base::Result<MinifyQuestion> MinifyQuestion::Prepare(const MinifyOptions& options) {
  for (const std::string& library : options.script.libraries)
    CULPRIT_TRY(process::LoadSharedLibrary(library));
  MinifyQuestion question(options);
  check::WarmUp();
  question.zygote_ = CULPRIT_TRY(isolate::Zygote::Start(kTasks));
  return question;
}

base::Status MinifyQuestion::Begin(const repro::Header& header, bool as_recorded) {
  header_ = header;
  if (!options_->check.empty())
    judge_ = CULPRIT_TRY(hunt::OutsideJudge::Find(options_->check, options_->query.limits(header).wall_time,
                                                  header, IsInterrupted));
  if (as_recorded && !header.expected.empty())
    recorded_ = CULPRIT_TRY(ExpectationOf(header, options_->match.match));
  return base::Done{};
}

base::Result<check::Character> MinifyQuestion::Characterize(const repro::Repro& repro) {
  if (judge_) {
    check::Character character{.queries = 1};
    const minify::Reply reply = judge_->Ask({repro.graph, repro.inputs});
    if (reply.verdict.answer == minify::Answer::kInvalid) character.invalid = reply.verdict.reason;
    if (reply.fails()) {
      character.expectation = check::Expectation{*reply.verdict.signature};
      character.failures = 1;
    }
    return character;
  }
  check::IsolatedQuery query(zygote_, options_->query.limits(header_));
  const check::AskOnce ask = [&](const repro::Repro& asked) { return query.Ask(asked); };
  if (!recorded_) {
    check::Character character =
        CULPRIT_TRY(check::Characterize(ask, repro, {.match = options_->match.match}));
    if (character.expectation) Expect(*character.expectation);
    return character;
  }
  const check::Reply reply = CULPRIT_TRY(check::AskRepeatedly(ask, repro, *recorded_));
  check::Character character{.queries = reply.queries};
  character.invalid = reply.finding.invalid;
  if (reply.verdict.answer == minify::Answer::kSameFailure) {
    character.expectation = recorded_;
    character.failures = 1;
    Expect(*recorded_);
  } else if (reply.verdict.signature) {
    character.others.push_back(*reply.verdict.signature);
  }
  return character;
}

void MinifyQuestion::Expect(const check::Expectation& expected) {
  compiler_ =
      std::make_unique<hunt::IsolatedCheck>(zygote_, options_->query.limits(header_), header_, expected);
}

hunt::Plan MinifyQuestion::PlanFor(const repro::Repro& repro, const check::Expectation& expected) {
  const minify::Program program{repro.graph, repro.inputs};
  hunt::Plan plan{.expected = expected, .jobs = options_->jobs.value_or(DefaultJobs())};
  plan.first = check().Ask(program);
  plan.costs = minify::MeasureCosts(program);
  return plan;
}

minify::FailureCheck& MinifyQuestion::check() {
  if (judge_) return *judge_;
  return *compiler_;
}

std::vector<std::string> MinifyQuestion::WordsAbout(const std::string& path, const char* command) const {
  std::vector<std::string> words = {"culprit", command, path};
  for (const std::string& library : options_->script.libraries)
    words.insert(words.end(), {"--load-library", library});
  if (options_->script.allow_file_operators) words.emplace_back("--allow-file-operators");
  return words;
}

std::string MinifyQuestion::OptionsForCommands() const {
  std::string options;
  for (const std::string& library : options_->script.libraries)
    options += " --load-library " + ShellWord(library);
  if (options_->script.allow_file_operators) options += " --allow-file-operators";
  return options;
}

std::string MinifyQuestion::Show(const std::string& path) const {
  const bool comes_always = header_.settings.find(repro::kRepeatsSetting) == header_.settings.end();
  if (judge_ || !comes_always) return "";
  const base::Result<SpawnedSelf> run = SpawnSelf(WordsAbout(path, "run"), nullptr);
  return run.ok() ? run->out : "";
}

hunt::Verification MinifyQuestion::Verify(const std::string& path) {
  hunt::Verification verification = judge_ ? AskJudge(path) : AskFreshProgram(path);
  if (!verification.holds() || !WantsMore()) return verification;
  const base::Result<minify::Program> program = ReadAgain(path);
  for (int i = 0; program.ok() && i < kMoreTimes; ++i) {
    const minify::Reply reply = check().Ask(*program);
    if (!reply.is_answer || IsInterrupted()) break;
    ++verification.times;
    if (reply.fails()) ++verification.same;
    if (!reply.fails()) verification.otherwise = NameOf(reply.verdict.answer);
  }
  return verification;
}

/// What fails by taking too long would take long to fail again, and is no matter of chance.
bool MinifyQuestion::WantsMore() const {
  return judge_ || failure_kind_ != backend::FailureKind::kTimeout;
}

hunt::Verification MinifyQuestion::AskJudge(const std::string& path) const {
  return {
      .times = 1, .same = judge_->AskAboutFile(path).fails() ? 1 : 0, .otherwise = "the judge lets it pass"};
}

hunt::Verification MinifyQuestion::AskFreshProgram(const std::string& path) const {
  hunt::Verification verification{.times = 1};
  std::vector<std::string> words = WordsAbout(path, "query");
  words.emplace_back("--json");
  const base::Result<SpawnedSelf> query = SpawnSelf(words, nullptr);
  if (!query.ok()) {
    verification.otherwise = query.error().message;
    return verification;
  }
  verification.same = query->status == kSuccess ? 1 : 0;
  const auto answer = nlohmann::json::parse(query->out, nullptr, /*allow_exceptions=*/false);
  verification.otherwise = answer.is_object()
                               ? answer.value("answer", "") + " " + answer.value("signature", "")
                               : query->err.substr(0, query->err.find('\n'));
  return verification;
}

std::optional<base::Diagnostic> MinifyQuestion::broken() const {
  return compiler_ ? compiler_->broken() : std::nullopt;
}

}  // namespace culprit::cli
