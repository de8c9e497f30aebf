// SPDX-License-Identifier: Apache-2.0
//
// A program that is captured while it runs. A call goes from segment to segment: where one is known whose
// guards hold, its graph runs; where none is, the program is captured from there; the instruction that broke
// a graph runs as it is written. The result is that of the program in every case.
//
//   place      where the program is: functions and instructions       has segments, one per set of guards
//   segment    segment.h
//
// May be called by several threads; they capture one after the other.
#pragma once

#include <ATen/core/function.h>
#include <ATen/core/ivalue.h>

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <shared_mutex>
#include <string>
#include <vector>

#include "backend/backend.h"
#include "capture/segment/place_view.h"
#include "capture/segment/segment.h"
#include "capture/sizes/size_history.h"
#include "capture/vm/code.h"
#include "capture/vm/real_effects.h"
#include "capture/walk/walk.h"

namespace culprit::capture {

struct Options {
  /// The segment's graph and its inputs, which are the program's own.
  std::function<std::shared_ptr<backend::Compiled>(const Segment&, const backend::Values& inputs)> compile;
  backend::Parameters parameters = backend::Parameters::kLifted;
  /// Graphs are called `<name>_<n>_captured`.
  std::string name = "program";
  /// The first break is an error.
  bool fullgraph = false;
  WalkOptions walk = {};
  size_t segments_per_place = 8;
  size_t segments = 256;
  /// Sizes that differ from call to call become symbols.
  bool has_symbols = true;
  SizeMarks marks = {};
  /// If ranks are to agree: before a place is compiled for the first time, its view is shown to the others,
  /// and sizes that differ between ranks become symbols at once.
  ShareView share = nullptr;
  /// All ranks capture a place again if one of them does, which they find out at every place of every call.
  bool captures_together = false;
  /// What was captured before is not used again.
  bool always_anew = false;
  /// Hears why something is captured again.
  std::function<void(const std::string&)> log = nullptr;
  /// Hears once for each place that it runs as written from now on.
  std::function<void(const std::string&)> warn = nullptr;
};

/// Thrown by a call that has to be one graph and is not.
class NotOneGraph : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct CaptureCounters {
  size_t calls = 0;
  size_t recaptures = 0;
  /// Stretches that ran as written since a limit was reached.
  size_t as_written = 0;
};

class CapturedProgram {
 public:
  /// The function has to stay.
  CapturedProgram(torch::jit::Function& function, Options options);

  /// Throws what the program throws, with the text that libtorch's interpreter gives it.
  c10::IValue Call(std::vector<c10::IValue> arguments);

  /// In the order of their capture.
  std::vector<std::shared_ptr<const Segment>> segments() const;
  CaptureCounters counters() const;

 private:
  using Place = std::vector<std::pair<const vm::Code*, size_t>>;
  using Found = std::vector<const c10::IValue*>;
  using SegmentPtr = std::shared_ptr<const Segment>;
  struct AtPlace {
    std::vector<SegmentPtr> segments;
    SizeHistory history;
    bool is_full = false;
    /// Ranks have compared what they are about to compile there.
    bool is_agreed = false;
  };

  void RunAll(vm::State& state, vm::RealEffects& effects);
  /// Null if the program is to run as it is written.
  SegmentPtr FindOrCapture(const vm::State& state, Found& found);
  /// In the place of what was captured there before.
  SegmentPtr CaptureAnew(const Place& place, const vm::State& state, Found& found);
  SegmentPtr Find(const Place& place, const vm::State& state, Found& found) const;
  /// The same, and it was compared with the program for these sizes. Comparing counts as capturing.
  SegmentPtr FindProved(const Place& place, const vm::State& state, Found& found,
                        std::unique_lock<std::mutex>& capturing);
  /// Null if it cannot be captured.
  SegmentPtr Capture(const Place& place, const vm::State& state, Found& found);
  std::shared_ptr<Segment> TryWalk(const Place& place, const vm::State& state, Found& found);
  std::shared_ptr<Segment> WalkFrom(const Place& place, const vm::State& state, Found& found);
  /// Sizes are fixed.
  std::shared_ptr<Segment> WalkOnce(const Place& place, const vm::State& state, Found& found);
  /// Sizes that differ from call to call, or between ranks, become symbols.
  void Symbolise(const Place& place, const vm::State& state, const std::vector<PlaceView>& views,
                 Segment& segment);
  /// Of all ranks; none if each decides for itself.
  std::vector<PlaceView> Share(const Place& place, const vm::State& state, const Segment& segment);
  /// Lets the other ranks know that this one cannot capture the place.
  void Refuse(const Place& place, const vm::State& state, const std::string& reason) const;
  bool IsToBeShared(const Place& place) const;
  /// Whether this rank, or another one, has to capture the place. Waits for the others.
  bool AnyRankCaptures(const Place& place, const vm::State& state, bool this_one);
  /// From now on. The warning is left out if there is no reason.
  void RunAsWritten(const Place& place, const vm::State& state, const std::string& reason);
  void RunAsWritten(const Place& place, const vm::State& state, const NoViews& error);
  bool HasRoom(const vm::State& state, const std::string& reason, AtPlace& at);
  void Log(const std::string& text) const;

  const Options options_;
  vm::CodeBook book_;
  const vm::Code& code_;
  mutable std::shared_mutex places_mutex_;
  std::map<Place, AtPlace> places_;
  std::vector<SegmentPtr> segments_;
  CaptureCounters counters_;
  /// One capture at a time.
  std::mutex capture_mutex_;
};

}  // namespace culprit::capture
