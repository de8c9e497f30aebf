// SPDX-License-Identifier: Apache-2.0
#include "watch/session/watch_session.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/empty_strided.h>
#include <cxxabi.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "check/query/stamp.h"
#include "graph/fake/world.h"
#include "repro/run_folder.h"
#include "repro/write_repro.h"
#include "watch/session/minify_child.h"
#include "watch/session/not_watched.h"

namespace culprit::watch {
namespace {

/// More different failures of one program are not told apart, and more warnings not told.
constexpr size_t kMostKnown = 1000;

/// A program with many failures needs its processors itself.
constexpr int kMostMinified = 4;

bool IsFake(const c10::IValue& value) {
  return value.isTensor() && value.toTensor().defined() && graph::fake::World::IsFake(value.toTensor());
}

bool IsOnAccelerator(const c10::IValue& value) {
  return value.isTensor() && value.toTensor().defined() && !value.toTensor().is_cpu();
}

std::string InputNames(const graph::Graph& graph, const std::vector<size_t>& inputs) {
  std::string names;
  for (const size_t input : inputs) {
    if (!names.empty()) names += ", ";
    names += graph.value(graph.placeholders()[input].value).name;
  }
  return names;
}

}  // namespace

repro::WriteOptions::Data GiveMemory(backend::Values& inputs, bool is_hanging) {
  auto data = repro::WriteOptions::Data::kStore;
  for (c10::IValue& input : inputs) {
    if (!IsFake(input) && !(is_hanging && IsOnAccelerator(input))) continue;
    const at::Tensor& unreadable = input.toTensor();
    const at::TensorOptions options = unreadable.options().device(at::kCPU);
    input = at::empty_strided(unreadable.sizes(), unreadable.strides(), options).zero_();
    data = repro::WriteOptions::Data::kNone;
  }
  return data;
}

repro::Repro ReproOf(const WatchedGraph& subject, const backend::Values& inputs, repro::RunSettings run,
                     bool is_about_numbers) {
  repro::Repro repro{subject.graph, inputs, subject.header};
  repro.header.run = std::move(run);
  if (!is_about_numbers) repro.header.accuracy = repro::Accuracy::kOff;
  return repro;
}

WatchSession::WatchSession(base::Settings settings, repro::Header how, watch::Warn warn,
                           std::optional<Rank> rank)
    : settings_(std::move(settings)),
      level_(settings_.repro_after == "none" ? 0 : settings_.repro_level),
      header_(std::move(how)),
      aot_header_(header_),
      warn_(std::move(warn)),
      rank_(std::move(rank)) {}

std::string WatchSession::FolderName(const std::string& graph_name) const {
  return rank_ ? fmt::format("rank{}-{}", rank_->rank, graph_name) : graph_name;
}

bool WatchSession::watches(Point point) const {
  if (level_ == 0) return false;
  if (watches_both()) return true;
  return (point == Point::kAot) == (settings_.repro_after == "aot");
}

void WatchSession::Warn(const std::string& text) {
  {
    const std::lock_guard lock(mutex_);
    if (warned_.size() >= kMostKnown || !warned_.insert(text).second) return;
  }
  try {
    if (warn_) warn_(text);
  } catch (...) {
    // Where warnings are errors, it is the failure that counts.
  }
}

void WatchSession::Minify(const std::string& repro) {
  if (minified_++ < kMostMinified) {
    MinifyInChild(settings_.program, repro, [this](const std::string& text) { Warn(text); });
  } else {
    Warn(fmt::format("{} failures are being made smaller: no more are", kMostMinified));
  }
}

void WatchSession::WarnUndecided(const std::string& graph, const std::string& why) {
  Warn(fmt::format("{} cannot be checked: {}", graph, why));
}

void WatchSession::WarnUnwritable(base::Diagnostic error) {
  error.help = "name a folder that can be written, with: CULPRIT_DIRECTORY=DIR";
  // The folder of every graph has another name.
  error.place = {settings_.directory};
  Warn(error.Render("warning"));
}

Notice WatchSession::ReportFailure(const WatchedGraph& subject, const Evidence& evidence, bool is_watched) {
  if (!evidence.is_counted && !IsInCheck()) ++counters_.failures;
  Notice report{subject.graph.name(), evidence.signature.ToString(), ""};
  if (!is_watched) return report;
  const FailureKey key{report.graph, report.signature};
  std::promise<std::string> repro;
  if (const auto known = FindOrAdd(key, repro)) {
    report.repro = known->get();
    return report;
  }
  const NotWatched off;
  const at::NoGradGuard no_grad;
  try {
    report.repro = WriteDump(subject, evidence);
  } catch (const std::exception& error) {
    Warn(fmt::format("no repro of {} was written: {}", report.graph, error.what()));
  } catch (const abi::__forced_unwind&) {
    // A thread that is cancelled; who waits for its repro gets none.
    Forget(key);
    repro.set_value("");
    throw;
  } catch (...) {
    Warn(fmt::format("no repro of {} was written: something that is no std::exception was thrown",
                     report.graph));
  }
  if (report.repro.empty()) Forget(key);
  repro.set_value(report.repro);
  if (rank_)
    rank_->tell(fmt::format("{} has failed: {}; repro {}", report.graph, report.signature,
                            report.repro.empty() ? "not written" : report.repro));
  return report;
}

void WatchSession::Forget(const FailureKey& key) {
  const std::lock_guard lock(mutex_);
  known_.erase(key);
}

std::optional<std::shared_future<std::string>> WatchSession::FindOrAdd(const FailureKey& key,
                                                                       std::promise<std::string>& repro) {
  const std::lock_guard lock(mutex_);
  if (const auto known = known_.find(key); known != known_.end()) return known->second;
  std::shared_future<std::string> written = repro.get_future();
  if (known_.size() >= kMostKnown) {
    repro.set_value("");
    return written;
  }
  known_.emplace(key, std::move(written));
  return std::nullopt;
}

std::string WatchSession::WriteDump(const WatchedGraph& subject, const Evidence& evidence) {
  base::Result<repro::RunFolder> folder =
      repro::RunFolder::Create(settings_.directory, FolderName(subject.graph.name()));
  if (!folder.ok()) {
    WarnUnwritable(folder.error());
    return "";
  }
  if (const auto warning = folder->WarningAboutLatest()) Warn(warning->Render("warning"));
  repro::Repro repro = ReproOf(subject, evidence.inputs, evidence.run, evidence.is_about_numbers);
  if (evidence.tolerance) repro.header.compare.tolerance = *evidence.tolerance;
  if (level_ >= 2) repro.header.expected = evidence.signature.ToJson();
  if (evidence.signature.kind == backend::FailureKind::kTimeout)
    repro.header.settings[repro::kTimeoutSetting] = fmt::format("{:.0f}", std::ceil(settings_.call_timeout));
  check::Stamp(repro.header);
  std::string path = folder->repro();
  const auto write = [&](bool is_hanging) {
    const auto data = GiveMemory(repro.inputs, is_hanging);
    return repro::WriteRepro(path, repro, {.data = data});
  };
  base::Result<repro::WrittenRepro> written = write(evidence.is_hanging);
  // A device that is broken since the failure does not give its memory back.
  if (!written.ok() && std::ranges::any_of(repro.inputs, IsOnAccelerator)) written = write(true);
  if (!written.ok()) {
    Warn(written.error().Render("warning"));
    return "";
  }
  if (!evidence.spoilt.empty())
    Warn(
        fmt::format("{}: what was compiled has written into {}, which the graph does not: the repro has the "
                    "numbers from after the call",
                    path, InputNames(subject.graph, evidence.spoilt)));
  if (!evidence.stacks.empty()) {
    const base::Status stacks = repro::WriteText(folder->path() + "/stacks.txt", evidence.stacks);
    if (!stacks.ok()) Warn(stacks.error().Render("warning"));
  }
  if (settings_.minify_now && level_ >= 2) Minify(path);
  return path;
}

}  // namespace culprit::watch
