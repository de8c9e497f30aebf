// SPDX-License-Identifier: Apache-2.0
#include "cli/compiler_question.h"

#include <nlohmann/json.hpp>

#include "check/query/query.h"
#include "check/query/query_task.h"
#include "check/query/warm_up.h"
#include "check/question/ask_patiently.h"
#include "cli/command.h"
#include "cli/repro_question.h"
#include "cli/spawn_self.h"

namespace culprit::cli {
namespace {

constexpr isolate::Task kTasks[] = {check::kQueryTask};

/// The first line, and those that it was wrapped into (wrap.h).
std::string FirstMessage(std::string text) {
  for (size_t end = text.find('\n'); end != std::string::npos; end = text.find('\n', end)) {
    const size_t next = text.find_first_not_of(' ', end + 1);
    const bool goes_on = next != std::string::npos && next >= end + 5;
    if (!goes_on) return text.substr(0, end);
    text.replace(end, next - end, " ");
  }
  return text;
}

}  // namespace

base::Result<std::unique_ptr<CompilerQuestion>> CompilerQuestion::Prepare(const MinifyOptions& options) {
  std::unique_ptr<CompilerQuestion> question(new CompilerQuestion(options));
  check::WarmUp();
  question->zygote_ = CULPRIT_TRY(isolate::Zygote::Start(kTasks));
  return question;
}

base::Status CompilerQuestion::Begin(const repro::Header& header, bool as_recorded) {
  header_ = header;
  if (as_recorded && !header.expected.empty())
    recorded_ = CULPRIT_TRY(ExpectationOf(header, options_->match.match));
  return base::Done{};
}

base::Result<check::Character> CompilerQuestion::Characterize(const repro::Repro& repro, bool quickly,
                                                              const OnRun& on_run) {
  const isolate::Limits limits = options_->query.limits(header_);
  check::IsolatedQuery query(zygote_, limits);
  if (recorded_) {
    const check::AskOnce ask_aloud = [&, run = 0](const repro::Repro& asked) mutable {
      on_run(++run, recorded_->repeats);
      return query.Ask(asked);
    };
    return CharacterizeAsRecorded(ask_aloud, repro);
  }
  check::AskOnce ask = [&](const repro::Repro& asked) { return query.Ask(asked); };
  if (const std::optional<isolate::Limits> patient = check::WithPatience(limits)) {
    const auto ask_longer = [&, patient](const repro::Repro& asked) {
      return check::IsolatedQuery(zygote_, *patient).Ask(asked);
    };
    ask = check::AskPatiently(std::move(ask), ask_longer, limits);
  }
  check::CharacterizeOptions options{.match = options_->match.match, .on_query = on_run};
  options.ignored = CULPRIT_TRY(check::IgnoredKinds(header_));
  if (quickly) options.queries = options.queries_if_flaky = 1;
  return check::Characterize(ask, repro, options);
}

base::Result<check::Character> CompilerQuestion::CharacterizeAsRecorded(const check::AskOnce& ask,
                                                                        const repro::Repro& repro) const {
  const check::Reply reply = CULPRIT_TRY(check::AskRepeatedly(ask, repro, *recorded_));
  check::Character character{.queries = reply.queries};
  character.invalid = reply.finding.invalid;
  character.help = reply.finding.help;
  character.ignored = reply.finding.ignored;
  if (reply.verdict.answer == minify::Answer::kSameFailure) {
    character.expectation = recorded_;
    character.expectation->is_clear = !reply.finding.is_near_noise;
    character.failures = 1;
  } else if (reply.verdict.signature) {
    character.others.push_back(*reply.verdict.signature);
  }
  return character;
}

void CompilerQuestion::Expect(const check::Expectation& expected, const repro::RunFolder& /*folder*/) {
  expected_ = expected;
  check_ = std::make_unique<hunt::IsolatedCheck>(zygote_, options_->query.limits(header_), header_, expected);
}

base::Result<hunt::Verification> CompilerQuestion::Verify(const std::string& path) {
  hunt::Verification verification = CULPRIT_TRY(AskFreshProgram(path));
  // What fails by taking too long would take long to fail again, and is no matter of chance. Of what comes
  // only sometimes, asking ten times whether it comes with 99 % would often end with one time too few.
  const bool is_hang = expected_.signature.kind == backend::FailureKind::kTimeout;
  const bool comes_always = expected_.repeats == 1;
  if (verification.holds() && !is_hang && comes_always) VerifyMoreTimes(*check_, path, verification);
  return verification;
}

check::AskOnce CompilerQuestion::ask() {
  return [this](const repro::Repro& repro) {
    return check::IsolatedQuery(zygote_, options_->query.limits(header_)).Ask(repro);
  };
}

/// One run does not show what comes only sometimes.
std::string CompilerQuestion::Show(const std::string& path) const {
  if (expected_.repeats > 1) return "";
  const base::Result<SpawnedSelf> run = SpawnSelf(WordsAbout(path, "run"), nullptr);
  return run.ok() ? run->out : "";
}

base::Result<hunt::Verification> CompilerQuestion::AskFreshProgram(const std::string& path) const {
  hunt::Verification verification{.times = 1};
  std::vector<std::string> words = WordsAbout(path, "query");
  words.emplace_back("--json");
  const SpawnedSelf query = CULPRIT_TRY(SpawnSelf(words, nullptr));
  const std::string first_line = FirstMessage(query.err);
  if (CauseOfStatus(query.status) == base::Cause::kEnvironment) {
    base::Diagnostic error{{path}, "it cannot be verified: " + first_line};
    error.cause = base::Cause::kEnvironment;
    return error;
  }
  verification.same = query.status == kSuccess ? 1 : 0;
  const auto answer = nlohmann::json::parse(query.out, nullptr, /*allow_exceptions=*/false);
  verification.otherwise =
      answer.is_object() ? answer.value("answer", "") + " " + answer.value("signature", "") : first_line;
  return verification;
}

std::vector<std::string> CompilerQuestion::WordsAbout(const std::string& path, const char* command) const {
  // The compiler of the run, whatever the file names: a step of a run that a stranger began is a file, too.
  std::vector<std::string> words = {"culprit", command, path, "--backend", header_.backend};
  const std::vector<std::string> more = options_->script.words_for_reading();
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

}  // namespace culprit::cli
