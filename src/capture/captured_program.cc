// SPDX-License-Identifier: Apache-2.0
#include "capture/captured_program.h"

#include <culprit/errors.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "base/internal_error.h"
#include "base/seconds_since.h"
#include "capture/segment/view_of.h"
#include "capture/sizes/compare_now.h"
#include "capture/sizes/ignored_marks.h"
#include "capture/vm/failure.h"
#include "capture/vm/machine.h"
#include "graph/ir/verify.h"
#include "graph/passes/freeze_placeholders.h"

namespace culprit::capture {
namespace {

using base::SecondsSince;
using Clock = std::chrono::steady_clock;

std::vector<std::pair<const vm::Code*, size_t>> PlaceOf(const vm::State& state) {
  std::vector<std::pair<const vm::Code*, size_t>> place;
  place.reserve(state.frames.size());
  for (const vm::Frame& frame : state.frames) place.emplace_back(frame.code, frame.pc);
  return place;
}

std::string Times(size_t count) {
  return count == 1 ? "once" : fmt::format("{} times", count);
}

/// "f: from net.py:12". The first instructions of a function have no line.
std::string BeginningOf(const vm::State& state) {
  const OriginText origin = TextOf(OriginOf(state));
  const std::string place =
      origin.line == 0 ? "its beginning" : fmt::format("{}:{}", origin.file, origin.line);
  return fmt::format("{}: from {}", origin.function, place);
}

std::string Describe(const Break& end) {
  const BreakDescription& description = DescriptionOf(end.kind);
  return fmt::format("{}: {} ({}), at {}", description.code, description.name, end.reason,
                     TextOf(end.origin).ToString());
}

/// An error comes from the line at which the graph failed, if its backend knows, or at which it began.
void RunGraph(const Segment& segment, const std::vector<const c10::IValue*>& found, vm::State& state) {
  std::optional<graph::NodeId> failed;
  try {
    Run(segment, found, state, failed);
  } catch (const base::InternalError&) {
    throw;
  } catch (const Failure&) {
    // None of the program's.
    vm::CloseBlocks(state);
    throw;
  } catch (const std::exception& error) {
    vm::LeaveWithError(state, failed ? segment.origins[Index(*failed)].lines : vm::CallStackOf(state), error);
  }
}

/// A compiler that folds weights has computed with the numbers they had. What the graph itself writes stays
/// an input.
void FreezeParameters(Segment& segment, const std::vector<const c10::IValue*>& found) {
  const std::vector<bool> freezable = FreezablePlaceholders(segment.graph, InputsOf(segment, found));
  for (size_t i = 0; i < segment.inputs.size(); ++i) {
    if (!freezable[i]) continue;
    const size_t guard = Index(segment.inputs[i]);
    const at::Tensor& tensor = found[guard]->toTensor();
    segment.guards[guard].expected = FrozenTensor{tensor, static_cast<uint32_t>(tensor._version())};
  }
}

/// The instruction that broke the graph; a call of a function that is not to be captured up to its return.
void StepOver(const vm::Machine& machine, const Break& end, vm::State& state) {
  const size_t depth = state.frames.size();
  machine.Step(state);
  while (end.kind == BreakKind::kDisabled && state.frames.size() > depth) machine.Step(state);
}

}  // namespace

CapturedProgram::CapturedProgram(torch::jit::Function& function, Options options)
    : options_(std::move(options)), code_(book_.Of(function)) {}

void CapturedProgram::Log(const std::string& text) const {
  if (options_.log) options_.log(text);
}

c10::IValue CapturedProgram::Call(std::vector<c10::IValue> arguments) {
  vm::State state = vm::State::AtEntry(code_, std::move(arguments));
  vm::RealEffects effects(book_);
  RunAll(state, effects);
  if (code_.outputs() == 1) return state.stack.back();
  return c10::ivalue::Tuple::create(state.stack);
}

void CapturedProgram::RunAll(vm::State& state, vm::RealEffects& effects) {
  const vm::Machine machine(book_, effects);
  Found found;
  while (!state.has_returned()) {
    SegmentPtr segment;
    try {
      segment = FindOrCapture(state, found);
    } catch (...) {
      vm::CloseBlocks(state);
      throw;
    }
    if (segment) RunGraph(*segment, found, state);
    if (segment && !segment->end) continue;
    try {
      if (segment) {
        StepOver(machine, *segment->end, state);
      } else {
        machine.Run(state);
      }
    } catch (const base::InternalError&) {
      throw;
    } catch (const std::exception& error) {
      vm::LeaveWithError(state, vm::CallStackOf(state), error);
    }
  }
}

CapturedProgram::SegmentPtr CapturedProgram::FindOrCapture(const vm::State& state, Found& found) {
  const Place place = PlaceOf(state);
  if (options_.always_anew) return CaptureAnew(place, state, found);
  std::unique_lock capturing(capture_mutex_, std::defer_lock);
  SegmentPtr segment = FindProved(place, state, found, capturing);
  if (segment && !options_.captures_together) return segment;
  {
    const std::shared_lock lock(places_mutex_);
    const auto at = places_.find(place);
    if (at != places_.end() && at->second.is_full) return segment;
  }
  if (!capturing.owns_lock()) capturing.lock();
  if (options_.captures_together) {
    if (!AnyRankCaptures(place, state, segment == nullptr)) return segment;
  } else if ((segment = FindProved(place, state, found, capturing))) {
    // Another thread has captured it meanwhile.
    return segment;
  }
  {
    const std::unique_lock lock(places_mutex_);
    AtPlace& at = places_[place];
    std::string reason;
    if (!at.segments.empty())
      reason = segment ? "another rank does" : Mismatch(*at.segments.back(), state, found).value_or("");
    if (!HasRoom(state, reason, at)) return segment;
    if (!at.segments.empty()) {
      ++counters_.recaptures;
      Log("captured again: " + reason);
    }
  }
  return Capture(place, state, found);
}

CapturedProgram::SegmentPtr CapturedProgram::CaptureAnew(const Place& place, const vm::State& state,
                                                         Found& found) {
  const std::lock_guard capturing(capture_mutex_);
  {
    const std::unique_lock lock(places_mutex_);
    for (const SegmentPtr& old : std::exchange(places_[place].segments, {})) std::erase(segments_, old);
  }
  return Capture(place, state, found);
}

CapturedProgram::SegmentPtr CapturedProgram::Find(const Place& place, const vm::State& state,
                                                  Found& found) const {
  const auto at = places_.find(place);
  if (at == places_.end()) return nullptr;
  for (const SegmentPtr& segment : at->second.segments) {
    if (Fits(*segment, state, found)) return segment;
  }
  return nullptr;
}

CapturedProgram::SegmentPtr CapturedProgram::FindProved(const Place& place, const vm::State& state,
                                                        Found& found,
                                                        std::unique_lock<std::mutex>& capturing) {
  while (true) {
    SegmentPtr segment;
    {
      const std::shared_lock lock(places_mutex_);
      segment = Find(place, state, found);
    }
    if (!segment || IsProved(*segment, found)) return segment;
    if (!capturing.owns_lock()) {
      capturing.lock();
      continue;
    }
    std::string difference;
    try {
      difference = CompareNow(*segment, state, found, book_, options_.walk).value_or("");
    } catch (const std::exception& error) {
      // Whoever captures it next meets the same mistake of ours, and says so.
      difference = fmt::format("internal error: {}", error.what());
    }
    segment->verdicts->Note(SymbolsOf(*segment, found), std::move(difference));
  }
}

bool CapturedProgram::HasRoom(const vm::State& state, const std::string& reason, AtPlace& at) {
  if (at.segments.size() < options_.segments_per_place && segments_.size() < options_.segments) return true;
  ++counters_.as_written;
  if (!at.is_full && options_.warn) {
    options_.warn(fmt::format("{} on it runs as written: captured {} there, {} in all{}", BeginningOf(state),
                              Times(at.segments.size()), Times(segments_.size()),
                              reason.empty() ? "" : ", the last one does not fit since " + reason));
  }
  at.is_full = true;
  return false;
}

void CapturedProgram::RunAsWritten(const Place& place, const vm::State& state, const std::string& reason) {
  if (options_.warn && !reason.empty())
    options_.warn(fmt::format("{} on it runs as written: {}", BeginningOf(state), reason));
  const std::unique_lock lock(places_mutex_);
  places_[place].is_full = true;
  ++counters_.as_written;
}

void CapturedProgram::RunAsWritten(const Place& place, const vm::State& state, const NoViews& error) {
  if (options_.fullgraph) throw RanksDiffer(fmt::format("{}: {}", BeginningOf(state), error.what()));
  RunAsWritten(place, state, error.is_told() ? "" : error.what());
}

bool CapturedProgram::IsToBeShared(const Place& place) const {
  if (!options_.share) return false;
  // Otherwise a rank that captures a place again would wait for others that do not.
  if (options_.captures_together || options_.always_anew) return true;
  const std::shared_lock lock(places_mutex_);
  const auto at = places_.find(place);
  return at == places_.end() || !at->second.is_agreed;
}

bool CapturedProgram::AnyRankCaptures(const Place& place, const vm::State& state, bool this_one) {
  try {
    const std::vector<PlaceView> views = options_.share(
        {.place = BeginningOf(state), .failed_guard = this_one ? "nothing that was compiled fits" : ""});
    return std::ranges::any_of(views, [](const PlaceView& view) { return !view.failed_guard.empty(); });
  } catch (const NoViews& error) {
    RunAsWritten(place, state, error);
    return false;
  }
}

std::vector<PlaceView> CapturedProgram::Share(const Place& place, const vm::State& state,
                                              const Segment& segment) {
  if (!IsToBeShared(place)) return {};
  std::string failed;
  {
    const std::unique_lock lock(places_mutex_);
    const AtPlace& at = places_[place];
    Found found;
    if (!at.segments.empty()) failed = Mismatch(*at.segments.back(), state, found).value_or("");
  }
  std::vector<PlaceView> views = options_.share(ViewOf(segment, BeginningOf(state), std::move(failed)));
  const std::unique_lock lock(places_mutex_);
  places_[place].is_agreed = true;
  return views;
}

void CapturedProgram::Refuse(const Place& place, const vm::State& state, const std::string& reason) const {
  if (!IsToBeShared(place)) return;
  try {
    options_.share({.place = BeginningOf(state), .refusal = reason});
  } catch (const NoViews&) {  // NOLINT(bugprone-empty-catch): what is wrong here is said anyway.
  }
}

/// A mistake of ours is no reason for the program to stop.
std::shared_ptr<Segment> CapturedProgram::TryWalk(const Place& place, const vm::State& state, Found& found) {
  try {
    return WalkFrom(place, state, found);
  } catch (const RanksDiffer&) {
    throw;
  } catch (const NoViews& error) {
    RunAsWritten(place, state, error);
  } catch (const std::exception& error) {
    RunAsWritten(place, state, fmt::format("internal error: {}", error.what()));
  }
  return nullptr;
}

void CapturedProgram::Symbolise(const Place& place, const vm::State& state,
                                const std::vector<PlaceView>& views, Segment& segment) {
  if (!options_.has_symbols) return;
  std::vector<Varying> choices;
  {
    const std::unique_lock lock(places_mutex_);
    SizeHistory& history = places_[place].history;
    if (views.empty()) {
      history.Note(segment);
    } else {
      history.Note(segment, views);
    }
    for (const SizeHistory::Equal equal :
         {SizeHistory::Equal::kAcrossValues, SizeHistory::Equal::kEverywhere})
      choices.push_back(history.VaryingIn(segment, options_.marks, equal));
  }
  // Only whoever captures notes anything there, and one does at a time.
  const SizeHistory& history = places_.at(place).history;
  const auto earlier = [&](const Varying& varying) { return history.EarlierSizes(segment, varying); };
  std::optional<Segment> symbolic = SymboliseBest(state, book_, options_.walk, segment, choices, earlier);
  if (symbolic) segment = *std::move(symbolic);
  for (std::string& ignored : IgnoredMarks(segment, options_.marks))
    segment.fixed_sizes.push_back(std::move(ignored));
  for (const std::string& fixed : segment.fixed_sizes) Log(fixed);
}

std::shared_ptr<Segment> CapturedProgram::WalkOnce(const Place& place, const vm::State& state, Found& found) {
  try {
    auto segment = std::make_shared<Segment>(
        Walk(state, book_, options_.walk, fmt::format("{}_{}_captured", options_.name, segments_.size())));
    found = FindAll(*segment, state);
    segment->aliasing = AliasingOf(segment->guards, found);
    return segment;
  } catch (const std::exception& error) {
    Refuse(place, state, error.what());
    throw;
  }
}

std::shared_ptr<Segment> CapturedProgram::WalkFrom(const Place& place, const vm::State& state, Found& found) {
  const Clock::time_point start = Clock::now();
  std::shared_ptr<Segment> segment = WalkOnce(place, state, found);
  Symbolise(place, state, Share(place, state, *segment), *segment);
  if (backend::AreFrozen(options_.parameters, InputsOf(*segment, found))) FreezeParameters(*segment, found);
  segment->capture_seconds = SecondsSince(start);
  const Clock::time_point check = Clock::now();
  const std::optional<std::string> mismatch = Mismatch(*segment, state, found);
  segment->guard_seconds = SecondsSince(check);
  CULPRIT_CHECK(!mismatch, "what was captured does not fit what it was captured from: {}", *mismatch);
  graph::VerifyPass(segment->graph, "behind", "capture");
  return segment;
}

CapturedProgram::SegmentPtr CapturedProgram::Capture(const Place& place, const vm::State& state,
                                                     Found& found) {
  const std::shared_ptr<Segment> segment = TryWalk(place, state, found);
  if (!segment) return nullptr;
  if (options_.fullgraph && segment->end && segment->end->kind != BreakKind::kRaise)
    throw NotOneGraph("the program is not one graph: " + Describe(*segment->end));
  if (!segment->graph.nodes().empty()) {
    const Clock::time_point compile = Clock::now();
    segment->compiled = options_.compile(*segment, InputsOf(*segment, found));
    segment->compile_seconds = SecondsSince(compile);
  }
  const std::unique_lock lock(places_mutex_);
  places_[place].segments.push_back(segment);
  segments_.push_back(segment);
  return segment;
}

std::vector<std::shared_ptr<const Segment>> CapturedProgram::segments() const {
  const std::shared_lock lock(places_mutex_);
  return segments_;
}

CaptureCounters CapturedProgram::counters() const {
  const std::shared_lock lock(places_mutex_);
  return counters_;
}

}  // namespace culprit::capture
