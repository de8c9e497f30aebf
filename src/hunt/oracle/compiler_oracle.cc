// SPDX-License-Identifier: Apache-2.0
#include "hunt/oracle/compiler_oracle.h"

#include <future>

#include "check/query/query.h"
#include "check/query/query_task.h"
#include "check/query/warm_up.h"
#include "check/question/ask_patiently.h"
#include "hunt/oracle/verify_more_times.h"
#include "report/run_text.h"
#include "tasks/ask.h"

namespace culprit::hunt {
namespace {

constexpr isolate::Task kTasks[] = {check::kQueryTask};

}  // namespace

base::Result<std::unique_ptr<CompilerOracle>> CompilerOracle::Prepare(const HuntRequest& request,
                                                                      const tasks::Children& children,
                                                                      Listener& listener) {
  std::unique_ptr<CompilerOracle> oracle(new CompilerOracle(request, children, listener));
  if (!request.launcher.empty()) {
    CULPRIT_TRY(oracle->StartWorkers());
    return oracle;
  }
  check::WarmUp();
  oracle->run_ = check::InChildrenOf(CULPRIT_TRY(isolate::Zygote::Start(kTasks)));
  return oracle;
}

base::Status CompilerOracle::StartWorkers() {
  workers_ = CULPRIT_TRY(tasks::Workers::Start(
      {request_->launcher, JobsOf(*request_), request_->file.libraries}, [this] { return listener_->stop(); },
      [this](const std::string& text) { listener_->OnNote(text); }));
  run_ = tasks::Workers::RunIn(workers_);
  listener_->OnPhase("waiting for a worker");
  base::Status came = workers_->WaitForOne();
  listener_->OnPhase("");
  return came;
}

base::Status CompilerOracle::Begin(const repro::Header& header, bool as_recorded) {
  header_ = header;
  if (as_recorded && !header.expected.empty())
    recorded_ = CULPRIT_TRY(tasks::ExpectationOf(header, request_->match));
  return base::Done{};
}

base::Result<check::Character> CompilerOracle::Characterize(const repro::Repro& repro, bool quickly,
                                                            const OnQuery& on_query) {
  const isolate::Limits limits = request_->compiler.limits(header_);
  check::IsolatedQuery query(run_, limits);
  if (recorded_) {
    const check::AskOnce ask_aloud = [&, run = 0](const repro::Repro& asked) mutable {
      on_query(++run, recorded_->repeats);
      return query.Ask(asked);
    };
    return CharacterizeAsRecorded(ask_aloud, repro);
  }
  check::AskOnce ask = [&](const repro::Repro& asked) { return query.Ask(asked); };
  if (const std::optional<isolate::Limits> patient = check::WithPatience(limits)) {
    const auto ask_longer = [&, patient](const repro::Repro& asked) {
      return check::IsolatedQuery(run_, *patient).Ask(asked);
    };
    ask = check::AskPatiently(std::move(ask), ask_longer, limits);
  }
  check::CharacterizeOptions options{.match = request_->match, .on_query = on_query};
  options.ignored = CULPRIT_TRY(check::IgnoredKinds(header_));
  options.at_a_time = static_cast<int>(JobsOf(*request_, header_));
  if (quickly) options.queries = options.queries_if_flaky = 1;
  return check::Characterize(ask, repro, options);
}

base::Result<check::Character> CompilerOracle::CharacterizeAsRecorded(const check::AskOnce& ask,
                                                                      const repro::Repro& repro) const {
  const check::QuestionReply reply = CULPRIT_TRY(check::AskRepeatedly(ask, repro, *recorded_));
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

void CompilerOracle::Expect(const check::Expectation& expected, const repro::RunFolder& /*folder*/) {
  expected_ = expected;
  check_ = std::make_unique<IsolatedCheck>(run_, request_->compiler.limits(header_), header_, expected);
}

base::Result<Verification> CompilerOracle::Verify(const std::string& path) {
  // What fails by taking too long would take long to fail again, and is no matter of chance. Of what comes
  // only sometimes, asking ten times whether it comes with 99 % would often end with one time too few.
  const bool is_hang = expected_.signature.kind == backend::FailureKind::kTimeout;
  const bool comes_always = expected_.repeats == 1;
  // With several jobs at the same time: nearly always it holds.
  const size_t jobs = JobsOf(*request_, header_);
  const bool at_once = jobs > 1 && !is_hang && comes_always;
  auto more = std::async(at_once ? std::launch::async : std::launch::deferred, [&] {
    Verification more;
    VerifyMoreTimes(*check_, path, jobs, *listener_, more);
    more.forked = more.times;
    return more;
  });
  Verification verification = CULPRIT_TRY(AskAnew(path));
  if (verification.holds() && !is_hang && comes_always) verification.Add(more.get());
  return verification;
}

check::AskOnce CompilerOracle::ask() {
  return [this](const repro::Repro& repro) {
    return check::IsolatedQuery(run_, request_->compiler.limits(header_)).Ask(repro);
  };
}

/// A process that died has taken along what its compiler had shown before.
std::map<std::string, std::string> CompilerOracle::InsightAfter(const check::Finding& death,
                                                                tasks::RunRequest request) {
  if (!death.failure || death.failure->phase == backend::FailurePhase::kCompile) return {};
  request.only_compiles = true;
  auto answered = tasks::AnswerOf(children_->Run(request, request_->compiler.limits(header_)));
  if (!answered.ok() || !answered->answer.ok()) return {};
  return std::move(answered->answer->insight);
}

/// One run does not show what comes only sometimes.
ShownRun CompilerOracle::Show(const std::string& path) {
  if (expected_.repeats > 1) return {};
  const tasks::AskRequest about = About(path);
  const tasks::RunRequest request{.load = {.file = about.file, .compiler = about.compiler},
                                  .wants_insight = true};
  const isolate::Limits limits = request_->compiler.limits(header_);
  base::Result<tasks::TaskEnd<tasks::RunAnswer>> ending = children_->Run(request, limits);
  if (!ending.ok()) return {};
  if (const auto* death = std::get_if<isolate::Outcome>(&*ending)) {
    check::Finding finding = check::SignEnding(*death);
    return {.text = report::DeathAsText(*death, finding),
            .insight = InsightAfter(finding, request),
            .python_frames = std::move(finding.python_frames)};
  }
  base::Result<tasks::RunAnswer>& answer = std::get<tasks::Answered<tasks::RunAnswer>>(*ending).answer;
  if (!answer.ok() || !answer->compiled || !answer->compiled->finding.failure) return {};
  return {.text = report::CompiledRunAsText(*answer->compiled),
          .insight = std::move(answer->insight),
          .python_frames = std::move(answer->compiled->finding.python_frames)};
}

std::optional<backend::PlainProgram> CompilerOracle::InPlainCalls(const std::string& path) {
  if (expected_.repeats > 1) return std::nullopt;
  const tasks::AskRequest about = About(path);
  auto answered = tasks::AnswerOf(
      children_->Plain({.file = about.file, .compiler = about.compiler}, request_->compiler.limits(header_)));
  if (!answered.ok() || !answered->answer.ok()) return std::nullopt;
  backend::PlainProgram& program = *answered->answer;
  if (program.text.empty() && program.said.empty()) return std::nullopt;
  return std::move(program);
}

base::Result<check::QuestionReply> CompilerOracle::AskFreshWorkers(const tasks::AskRequest& about) const {
  open::Notes notes;
  return tasks::AskFreshWorkers(workers_, CULPRIT_TRY(tasks::OpenQuestion(about, notes)));
}

base::Result<Verification> CompilerOracle::AskAnew(const std::string& path) const {
  Verification verification{.times = 1};
  const base::Result<check::QuestionReply> reply =
      workers_ ? AskFreshWorkers(About(path)) : tasks::AskFreshProgram(About(path));
  if (!reply.ok()) {
    const std::string text = reply.error().Render();
    const std::string first_line = text.substr(0, text.find('\n'));
    if (reply.error().cause == base::Cause::kEnvironment) {
      base::Diagnostic error{{path}, "it cannot be verified: " + first_line};
      error.cause = base::Cause::kEnvironment;
      return error;
    }
    verification.otherwise = first_line;
    return verification;
  }
  const backend::QuestionVerdict& verdict = reply->verdict;
  verification.same = verdict.answer == backend::Answer::kSameFailure ? 1 : 0;
  verification.otherwise =
      std::string(NameOf(verdict.answer)) + " " + (verdict.signature ? verdict.signature->ToString() : "");
  return verification;
}

/// With the compiler of the run, whatever the file names: a step of a run that a stranger began is a file,
/// too.
tasks::AskRequest CompilerOracle::About(const std::string& path) const {
  return {.file = {.file = path,
                   .libraries = request_->file.libraries,
                   .allow_file_operators = request_->file.allow_file_operators},
          .compiler = {.backend = header_.backend}};
}

}  // namespace culprit::hunt
