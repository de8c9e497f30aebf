// SPDX-License-Identifier: Apache-2.0
//
// A worker elsewhere: `culprit worker --stay`, which does for another culprit what a zygote does for this
// process. A request goes to a child there, within the same limits, and the outcome comes back.
//
//   this process                               worker
//     <---- greeting, hello ------------------   what it is made of, where it runs
//     ----- setup --------------------------->   what it needs before it can fork
//     <---- ready (or error) -----------------
//     ----- memory, memory, query ----------->   attachments it has not got yet, by their hash
//     <---- phase, phase, alive ... ----------   what the child does; every few seconds in any case
//     <---- outcome (or error) ---------------
//     ----- renew --------------------------->   it becomes a new process, and greets again
//
// A worker is trusted with nothing: what it sends is bounded and checked, and one that sends anything else,
// or nothing for a minute, is let go.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <variant>

#include "isolate/query/limits.h"
#include "isolate/query/outcome.h"
#include "isolate/remote/launched.h"
#include "isolate/remote/parcel.h"

namespace culprit::isolate {

/// {"culprit": "0.1.0", "PyTorch": "2.13.0"}: workers that are made of something else would answer
/// differently.
using MadeOf = std::map<std::string, std::string>;

/// Why there is no worker any more.
struct Lost {
  enum class How : uint8_t {
    /// Its launcher has ended before it said anything.
    kNeverCame,
    /// It is of another version, cannot work, or sends what is no answer: another one would be the same.
    kUnfit,
    /// It has ended, or was silent for too long.
    kDied,
    /// This process does not need it any more.
    kStopped,
  };
  How how = How::kDied;
  std::string why = {};
  /// What the child was doing.
  std::string phase = {};
};

class RemoteWorker {
 public:
  /// `stopped` is asked many times a second.
  RemoteWorker(Launched program, std::function<bool()> stopped)
      : program_(std::move(program)), stopped_(std::move(stopped)) {}

  /// Waits until it comes, however long it takes, and gets it ready.
  std::optional<Lost> Meet(const MadeOf& made_of, const ParcelHead& setup);

  /// Becomes a new process, where it is: it keeps what the launcher has got for it.
  std::optional<Lost> Renew(const MadeOf& made_of, const ParcelHead& setup);

  /// One at a time.
  std::variant<Outcome, Lost> Run(std::string_view task, const Message& request, const Limits& limits);

  /// Whether it is still there; to be asked while it has nothing to do.
  std::optional<Lost> Look();

  /// "the worker on n1"
  std::string name() const;
  /// Since it is the process that it is.
  size_t queries() const { return queries_; }
  void End() { program_.End(Launched::Nicely::kYes); }

 private:
  std::variant<Parcel, Lost> WaitForParcel(std::chrono::nanoseconds longest_silence);
  std::optional<Lost> CheckHello(const Parcel& hello, const MadeOf& made_of);
  std::optional<Lost> Send(const ParcelHead& head, std::span<const std::byte> body = {});
  std::optional<Lost> SendMemory(const Message& request, ParcelHead& hashes);
  ParcelHead ForgetOld();
  Lost Ended();
  Lost Unfit(const std::string& what) const;

  Launched program_;
  std::function<bool()> stopped_;
  ParcelReader reader_;
  std::string host_;
  size_t queries_ = 0;
  /// Attachments that the worker has, by hash, and the number of the query that needed them last.
  std::map<std::string, size_t> has_;
};

}  // namespace culprit::isolate
