// SPDX-License-Identifier: Apache-2.0
//
// What all watched graphs of one program share: the settings, and the reports of their failures. Nothing here
// throws: what goes wrong while a failure is written down is a warning, and the program goes on; so it does
// if warnings are errors.
#pragma once

#include <atomic>
#include <functional>
#include <future>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "backend/backend.h"
#include "backend/failure/failure_signature.h"
#include "base/settings.h"
#include "repro/repro.h"
#include "repro/write_repro.h"
#include "watch/notice/notice.h"
#include "watch/subject/watched_graph.h"

namespace culprit::watch {

/// What is known about one failure.
struct Evidence {
  /// Of the call, or what the compiler was shown.
  const backend::Values& inputs;
  repro::RunSettings run;
  backend::FailureSignature signature;
  /// The numbers are wrong, so they are what has to be looked at.
  bool is_about_numbers = false;
  /// At another point already.
  bool is_counted = false;
  /// What the numbers were judged by, if not by what the settings say.
  std::optional<double> tolerance = std::nullopt;
  /// Inputs that no longer hold what they held.
  std::vector<size_t> spoilt = {};
  /// Devices other than the CPU may never answer, so that their memory cannot be read.
  bool is_hanging = false;
  /// Beside the repro, under this name.
  std::string stacks = {};
};

struct WatchCounters {
  /// Failures of compilers, those that look alike included.
  std::atomic<uint64_t> failures = 0;
  /// Of them, those after which the program ran as written.
  std::atomic<uint64_t> suppressed = 0;
  /// Calls whose numbers were checked.
  std::atomic<uint64_t> checked = 0;
};

using Warn = std::function<void(const std::string&)>;

/// This process, if the program has several.
struct Rank {
  int rank = 0;
  int size = 1;
  /// To all other ranks.
  std::function<void(const std::string&)> tell;
};

class WatchSession {
 public:
  /// `how` names the compiler and its faults. `warn` hears what goes wrong with the watching itself.
  WatchSession(base::Settings settings, repro::Header how, Warn warn,
               std::optional<Rank> rank = std::nullopt);

  const base::Settings& settings() const { return settings_; }
  int64_t level() const { return level_; }
  bool watches(Point point) const;
  /// At both points, and what shows at the lower one is not told again.
  bool watches_both() const { return settings_.repro_after == "auto"; }
  bool suppresses() const { return settings_.suppress_errors; }
  /// Whether a Failure that comes from below this point is still to be reported: below the one point that is
  /// watched nobody has.
  bool reports_failures_from_below(Point point) const { return watches(point) && !watches_both(); }

  /// Of graphs at this point; the compiler is another backend for those that autograd has made already.
  const repro::Header& header(Point point) const { return point == Point::kAot ? aot_header_ : header_; }
  /// As the user wrote it.
  const std::string& backend() const { return header_.backend; }
  void set_aot_header(repro::Header header) { aot_header_ = std::move(header); }
  /// Whether autograd stands between the points, so that their graphs are not the same.
  bool splits_graphs() const { return splits_graphs_; }
  void set_splits_graphs(bool splits) { splits_graphs_ = splits; }

  /// Stacks in the language of the program, where that is not C++; whoever hangs may hold its locks.
  std::string StacksOfProgram() const { return stacks_of_program_ ? stacks_of_program_() : ""; }
  void set_stacks_of_program(std::function<std::string()> stacks) { stacks_of_program_ = std::move(stacks); }

  /// Counts it. If somebody watches, a repro is written into a folder of its own, unless the graph has failed
  /// in this way before.
  Notice ReportFailure(const WatchedGraph& subject, const Evidence& evidence, bool is_watched);

  /// What the folder of a graph is called behind the time: "rank2-net_0_captured", if there are ranks.
  std::string FolderName(const std::string& graph_name) const;

  /// Once for each text.
  void Warn(const std::string& text);
  /// Nobody can tell whether the graph computes what it should.
  void WarnUndecided(const std::string& graph, const std::string& why);
  /// There is no folder for repros.
  void WarnUnwritable(base::Diagnostic error);
  WatchCounters& counters() { return counters_; }

 private:
  /// Graph and signature.
  using FailureKey = std::pair<std::string, std::string>;

  /// Nothing if it is new: then the caller keeps the promise.
  std::optional<std::shared_future<std::string>> FindOrAdd(const FailureKey& key,
                                                           std::promise<std::string>& repro);
  /// The next one like it is new again.
  void Forget(const FailureKey& key);
  void Minify(const std::string& repro);
  std::string WriteDump(const WatchedGraph& subject, const Evidence& evidence);

  const base::Settings settings_;
  const int64_t level_;
  const repro::Header header_;
  repro::Header aot_header_;
  bool splits_graphs_ = true;
  std::function<std::string()> stacks_of_program_;
  const watch::Warn warn_;
  const std::optional<Rank> rank_;
  WatchCounters counters_;
  std::atomic<int> minified_ = 0;
  std::mutex mutex_;
  /// The repro of each failure; whoever meets it again while it is written waits.
  std::map<FailureKey, std::shared_future<std::string>> known_;
  std::set<std::string> warned_;
};

/// Fakes have no numbers, and what a hanging device holds cannot be had: memory of the CPU that lies as they
/// do takes their place, and the file has to say that numbers were not kept.
repro::WriteOptions::Data GiveMemory(backend::Values& inputs, bool is_hanging = false);

/// The repro of a subject: what a query would be asked about it.
repro::Repro ReproOf(const WatchedGraph& subject, const backend::Values& inputs, repro::RunSettings run,
                     bool is_about_numbers);

}  // namespace culprit::watch
