// SPDX-License-Identifier: Apache-2.0
#include "hunt/run/examine.h"

#include <algorithm>
#include <charconv>
#include <future>

#include "repro/read_repro.h"
#include "repro/run_folder.h"

namespace culprit::hunt {
namespace {

using backend::FailureKind;
using backend::FailurePhase;
using backend::FailureSignature;

/// Shared by those that are asked at a time: more of them are no reason to let the user wait as long.
constexpr std::chrono::milliseconds kForSwitches(10000);

/// Of "outputs[3]" the name that the graph has for it; empty if it is no output.
std::string NameOfOutput(const graph::Graph& graph, const std::string& path) {
  constexpr std::string_view kOutputs = "outputs[";
  if (!path.starts_with(kOutputs)) return "";
  size_t index = 0;
  const auto [end, error] = std::from_chars(path.data() + kOutputs.size(), path.data() + path.size(), index);
  if (error != std::errc() || index >= graph.outputs().size()) return "";
  const graph::Argument& output = graph.outputs()[index];
  return output.is_value() ? graph.value(output.value()).name : "";
}

/// The numbers belong to the first result that is wrong, which need not be the one that is searched for.
std::optional<check::HowWrong> AskHowWrong(const check::AskOnce& ask, const Listener& listener,
                                           const repro::Repro& repro, const FailureSignature& signature) {
  if (signature.phase != FailurePhase::kCompare || listener.stop()) return std::nullopt;
  const base::Result<check::Finding> finding = ask(repro);
  if (!finding.ok() || !finding->failure) return std::nullopt;
  const bool is_it = finding->failure->guilty_output == signature.guilty_output;
  return is_it ? finding->how_wrong : std::nullopt;
}

/// The original and what is left of it, at the same time if that is wanted.
void AskHowWrongBothAre(const MinifyRepro& job, const repro::Repro& left, const check::AskOnce& ask,
                        const Listener& listener, Report& report) {
  auto original = std::async(job.jobs > 1 ? std::launch::async : std::launch::deferred, [&] {
    return AskHowWrong(ask, listener, job.repro, report.expected.signature);
  });
  report.how_wrong = AskHowWrong(ask, listener, left, report.signature);
  report.original_how_wrong = original.get();
}

base::Result<repro::Repro> ReadAgain(const std::string& path) {
  const std::string text = CULPRIT_TRY(repro::ReadScript(path));
  return CULPRIT_TRY(repro::LoadRepro(CULPRIT_TRY(repro::OpenRepro(path, text)))).repro;
}

/// One query says too little of what comes only sometimes, and takes too long if the failure is to hang.
bool MayTrySwitches(const MinifyRepro& job, const Listener& listener, const Report& report) {
  return job.try_switches && report.verification.holds() && report.expected.repeats == 1 &&
         report.signature.kind != FailureKind::kTimeout && !listener.stop();
}

void TrySwitches(const MinifyRepro& job, const repro::Repro& repro, const check::AskOnce& ask,
                 const Listener& listener, Report& report) {
  const auto tried = check::TrySwitches(
      ask, repro,
      {.deadline = std::chrono::steady_clock::now() + kForSwitches / std::max<size_t>(job.jobs, 1),
       .jobs = job.jobs,
       .stop = [&] { return listener.stop(); }});
  if (tried.ok()) report.switches = *tried;
}

}  // namespace

void Examine(const MinifyRepro& job, Oracle& oracle, Listener& listener, Report& report) {
  report.output_name = NameOfOutput(job.repro.graph, report.expected.signature.guilty_output);
  const check::AskOnce ask = oracle.ask();
  if (!ask || HasToStop(oracle, listener)) return;
  listener.OnPhase("looking at it for the report");
  const base::Result<repro::Repro> repro = ReadAgain(job.folder.repro());
  if (!repro.ok()) return;
  AskHowWrongBothAre(job, *repro, ask, listener, report);
  std::future<std::optional<backend::PlainProgram>> plain;
  if (report.fails_in_python && !report.needs_store && report.verification.holds() &&
      !HasToStop(oracle, listener)) {
    listener.OnPhase("trying it in plain calls");
    plain = std::async(job.jobs > 1 ? std::launch::async : std::launch::deferred,
                       [&] { return oracle.InPlainCalls(job.folder.repro()); });
  }
  if (MayTrySwitches(job, listener, report)) TrySwitches(job, *repro, ask, listener, report);
  if (plain.valid()) report.plain = plain.get();
}

}  // namespace culprit::hunt
