// SPDX-License-Identifier: Apache-2.0
#include "check/verdict/sign.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <csignal>
#include <cstring>
#include <tuple>

#include "backend/failure/normalize_message.h"
#include "backend/failure/top_frames.h"
#include "backend/foreign_error.h"
#include "check/verdict/python_frames.h"
#include "compare/noise.h"

namespace culprit::check {
namespace {

using backend::FailureKind;
using backend::FailurePhase;
using backend::FailureSignature;

/// "calls[1].outputs[0]" is outputs[0] of the 2nd call.
struct ResultPath {
  int call = 1;
  std::string name;
};

std::optional<size_t> NumberAfter(std::string_view text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return std::nullopt;
  text.remove_prefix(prefix.size());
  size_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end == text.data()) return std::nullopt;
  return number;
}

ResultPath Split(const std::string& path) {
  const std::optional<size_t> call = NumberAfter(path, "calls[");
  if (!call) return {1, path};
  return {static_cast<int>(*call) + 1, path.substr(std::min(path.find("].") + 2, path.size()))};
}

FailureKind KindOf(compare::MismatchKind kind) {
  switch (kind) {
    case compare::MismatchKind::kDtype:
      return FailureKind::kDtype;
    case compare::MismatchKind::kAliasing:
      return FailureKind::kAliasing;
    case compare::MismatchKind::kRequiresGrad:
      return FailureKind::kRequiresGrad;
    case compare::MismatchKind::kValue:
      return FailureKind::kWrongValues;
    default:
      return FailureKind::kShape;
  }
}

FailureKind KindOf(const compare::Output& output) {
  return output.result.nan > output.reference.nan ? FailureKind::kNan : FailureKind::kWrongValues;
}

struct Difference {
  std::string path;
  FailureKind kind = FailureKind::kWrongValues;
  HowWrong how_wrong = {};
};

/// Results in the order in which they come into being: a wrong output makes a wrong gradient, not the other
/// way round.
auto OrderOf(const Difference& difference) {
  const ResultPath path = Split(difference.path);
  const std::string_view name = path.name;
  const int rank = name.starts_with("outputs") ? 0 : name.starts_with("gradients") ? 2 : 1;
  const size_t bracket = std::min(name.find('['), name.size());
  return std::tuple(path.call, rank, NumberAfter(name.substr(bracket), "[").value_or(0));
}

std::vector<Difference> DifferencesOf(const compare::Verdict& verdict) {
  std::vector<Difference> differences;
  for (const compare::Mismatch& mismatch : verdict.mismatches)
    differences.push_back({mismatch.path, KindOf(mismatch.kind), {.structure = mismatch.message}});
  for (const compare::Output& output : verdict.outputs) {
    if (!output.passes) differences.push_back({output.path, KindOf(output), HowWrongIs(output)});
  }
  std::ranges::stable_sort(differences, {}, OrderOf);
  return differences;
}

FailureKind InContext(FailureKind kind, std::string_view name) {
  if (name.starts_with("gradients")) return FailureKind::kGradient;
  if (name.starts_with("inputs") && kind != FailureKind::kAliasing) return FailureKind::kMutatedInput;
  return kind;
}

FailureSignature SignatureOf(const Difference& difference) {
  const ResultPath path = Split(difference.path);
  return {.phase = FailurePhase::kCompare,
          .kind = InContext(difference.kind, path.name),
          .call = path.call,
          .guilty_output = path.name};
}

bool IsAmong(const std::vector<FailureSignature>& signatures, FailureKind kind) {
  return std::ranges::count(signatures, kind, &FailureSignature::kind) > 0;
}

Finding SignDifferences(const compare::Verdict& verdict, bool varies, const backend::FailureKinds& ignored) {
  Finding finding;
  const std::vector<Difference> differences = DifferencesOf(verdict);
  CULPRIT_CHECK(!differences.empty(), "results differ in nothing");
  for (const Difference& difference : differences) {
    const ResultPath path = Split(difference.path);
    FailureSignature signature = SignatureOf(difference);
    if (ignored.contains(signature.kind)) {
      if (!IsAmong(finding.ignored, signature.kind)) finding.ignored.push_back(std::move(signature));
      continue;
    }
    if (!finding.failure) {
      finding.failure = signature;
      finding.how_wrong = difference.how_wrong;
    }
    if (path.call != finding.failure->call) break;
    const bool is_known = finding.failure->kind == signature.kind || !finding.also.empty();
    if (signature.kind == FailureKind::kMutatedInput && !is_known)
      finding.also.push_back(std::move(signature));
    const std::optional<size_t> index = NumberAfter(path.name, "outputs[");
    if (index && (finding.wrong_outputs.empty() || finding.wrong_outputs.back() != *index))
      finding.wrong_outputs.push_back(*index);
  }
  finding.is_near_noise = compare::IsNearNoise(verdict);
  if (varies && finding.failure && IsAboutNumbers(finding.failure->kind))
    finding.failure->kind = FailureKind::kNonDeterministic;
  return finding;
}

FailureSignature SignFailure(const RunFailure& failure) {
  FailureSignature signature{.kind = FailureKind::kException,
                             .call = failure.call + 1,
                             .message = backend::NormalizeMessage(failure.message),
                             .exception_type = failure.type};
  switch (failure.phase) {
    case Phase::kCompile:
      signature.phase = FailurePhase::kCompile;
      signature.call = 0;
      break;
    case Phase::kReduce:
    case Phase::kBackward:
      signature.phase = FailurePhase::kBackward;
      break;
    default:
      signature.phase = FailurePhase::kCall;
  }
  return signature;
}

/// Of the text that RunModel announces.
FailureSignature InPhase(std::string_view phase) {
  if (const auto call = NumberAfter(phase, "call "))
    return {.phase = FailurePhase::kCall, .call = static_cast<int>(*call)};
  if (const auto call = NumberAfter(phase, "backward of call "))
    return {.phase = FailurePhase::kBackward, .call = static_cast<int>(*call)};
  // Memory that the compiler broke may break the process later.
  const bool has_results = phase == kComparePhase || phase == kAgainPhase;
  return {.phase = has_results ? FailurePhase::kCompare : FailurePhase::kCompile};
}

void Describe(FailureSignature& signature, const isolate::Signal& signal) {
  signature.kind = FailureKind::kSignal;
  signature.signal = isolate::SignalName(signal.number);
  if (signal.address_class == isolate::AddressClass::kStackOverflow) signature.message = "stack overflow";
  if (!signal.last_words.empty()) signature.message = backend::NormalizeMessage(signal.last_words);
  std::vector<backend::NativeFrame> frames;
  for (const isolate::StackFrame& frame : signal.frames) frames.push_back({frame.symbol, frame.module});
  signature.frames = backend::TopFrames(frames);
}

struct Describer {
  FailureSignature& signature;

  void operator()(const isolate::Returned&) const { CULPRIT_CHECK(false, "a result is no failure"); }
  void operator()(const isolate::Exception& exception) const {
    signature.kind = FailureKind::kException;
    signature.exception_type = exception.type;
    signature.message = backend::NormalizeMessage(exception.message);
  }
  void operator()(const isolate::NonstandardThrow& thrown) const {
    signature.kind = FailureKind::kException;
    signature.exception_type = thrown.type;
  }
  void operator()(const isolate::Signal& signal) const { Describe(signature, signal); }
  void operator()(const isolate::Timeout&) const { signature.kind = FailureKind::kTimeout; }
  void operator()(const isolate::MemoryLimit&) const { signature.kind = FailureKind::kMemory; }
  void operator()(const isolate::Exit& exit) const {
    signature.kind = FailureKind::kExit;
    signature.exit_code = exit.code;
  }
  /// A compiler that closes or scribbles over descriptors which are not its own.
  void operator()(const isolate::Garbage& garbage) const {
    signature.kind = FailureKind::kException;
    signature.message = backend::NormalizeMessage(garbage.what);
  }
};

/// What to give it more with; empty if no limit has ended it. Several times as much: who has to guess does
/// not want to guess often.
std::string OptionForMore(const isolate::Ending& ending) {
  if (const auto* timeout = std::get_if<isolate::Timeout>(&ending)) {
    const auto seconds = std::chrono::ceil<std::chrono::seconds>(timeout->limit).count();
    return fmt::format("{} {}", timeout->clock == isolate::Clock::kWall ? "--timeout" : "--cpu-limit",
                       5 * seconds);
  }
  if (const auto* memory = std::get_if<isolate::MemoryLimit>(&ending))
    return fmt::format("--memory-limit {}", 2 * ((memory->limit + (1 << 20) - 1) >> 20));
  return "";
}

/// Behind an exception or a crash there is no other failure.
void SetAside(const backend::FailureKinds& ignored, Finding& finding) {
  if (!finding.failure || !ignored.contains(finding.failure->kind)) return;
  finding.ignored.push_back(*finding.failure);
  finding.failure.reset();
  finding.help.clear();
}

/// Of what a compiler in another language threw.
std::vector<std::string> FramesOfForeign(const std::exception_ptr& exception) {
  if (!exception) return {};
  try {
    std::rethrow_exception(exception);
  } catch (const backend::ForeignError& error) {
    return error.frames();
  } catch (...) {
    return {};
  }
}

}  // namespace

base::Cause CauseOfReference(std::string_view message) {
  const bool is_out_of_memory =
      message.find("DefaultCPUAllocator: can't allocate memory") != std::string_view::npos;
  return is_out_of_memory ? base::Cause::kEnvironment : base::Cause::kReference;
}

Finding SignCheck(const CheckResult& check, const backend::FailureKinds& ignored) {
  Finding finding;
  switch (check.status) {
    case CheckStatus::kSame:
      break;
    case CheckStatus::kDifferent:
      finding = SignDifferences(check.verdict, check.varies, ignored);
      break;
    case CheckStatus::kCandidateFailed:
      finding.failure = SignFailure(check.failure.value());
      finding.python_frames = FramesOfForeign(check.failure->exception);
      break;
    case CheckStatus::kCandidateRefused:
    case CheckStatus::kReferenceFailed:
    case CheckStatus::kReferenceUnstable:
    case CheckStatus::kNoFp64:
      finding.invalid = check.message;
      finding.help = check.help;
  }
  finding.warnings = check.warnings;
  SetAside(ignored, finding);
  return finding;
}

Finding SignEnding(const isolate::Outcome& outcome, const backend::FailureKinds& ignored) {
  Finding finding;
  const std::string more = OptionForMore(outcome.ending);
  // What the compiled graph took before was in time.
  const bool is_the_compilers =
      outcome.phase != kLoadPhase && outcome.phase != kAgainPhase && !IsEagerPhase(outcome.phase);
  if (!more.empty())
    finding.help = fmt::format(
        "{}, add: {}", is_the_compilers ? "if it is no failure but needs more" : "to give it more", more);
  if (!more.empty() && !is_the_compilers) {
    finding.invalid = fmt::format("reached a limit of Culprit's own {}", outcome.ToString());
    return finding;
  }
  if (outcome.phase == kLoadPhase) {
    finding.invalid = fmt::format("cannot be loaded: {}", outcome.ToString());
    return finding;
  }
  if (IsEagerPhase(outcome.phase)) {
    finding.invalid = fmt::format("eager itself failed: {}", outcome.ToString());
    return finding;
  }
  finding.failure = InPhase(outcome.phase);
  std::visit(Describer{*finding.failure}, outcome.ending);
  if (std::holds_alternative<isolate::Signal>(outcome.ending))
    finding.python_frames = PythonFrames(outcome.output);
  // It gave results the first time, and now it does not even give any.
  if (outcome.phase == kAgainPhase) finding.failure->kind = FailureKind::kNonDeterministic;
  SetAside(ignored, finding);
  return finding;
}

}  // namespace culprit::check
