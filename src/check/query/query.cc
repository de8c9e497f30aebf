// SPDX-License-Identifier: Apache-2.0
#include "check/query/query.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "backend/spec.h"
#include "backends/table.h"
#include "base/text.h"
#include "check/run/compiled_model.h"
#include "check/run/eager_elsewhere.h"
#include "check/run/known_differences.h"
#include "check/run/without_random.h"

namespace culprit::check {
namespace {

using Values = std::vector<c10::IValue>;

/// Inputs that the backend can give gradients for; the others require none.
struct DifferentiableInputs {
  Values values;
  std::string warning;
};

/// Positions of those that the backend takes for constants.
std::set<size_t> FrozenInputs(const backend::Backend& backend, const graph::Graph& graph) {
  std::set<size_t> frozen;
  if (backend.parameters() != backend::Parameters::kFrozen) return frozen;
  for (size_t i = 0; i < graph.placeholders().size(); ++i) {
    if (graph.placeholders()[i].kind != graph::PlaceholderKind::kInput) frozen.insert(i);
  }
  return frozen;
}

DifferentiableInputs InputsFor(const backend::Backend& backend, const repro::Repro& repro,
                               const std::set<size_t>& frozen) {
  DifferentiableInputs inputs{repro.inputs};
  size_t without = 0;
  for (size_t i = 0; i < inputs.values.size(); ++i) {
    if (!inputs.values[i].isTensor() || (backend.gives_gradients() && !frozen.contains(i))) continue;
    const at::Tensor& tensor = inputs.values[i].toTensor();
    if (!tensor.defined() || !tensor.requires_grad()) continue;
    inputs.values[i] = tensor.detach();
    ++without;
  }
  if (without > 0) {
    inputs.warning = fmt::format("the compiler gives no gradients for {}: they were not compared",
                                 base::Counted(without, "input"));
  }
  return inputs;
}

CheckResult OnlyRun(const Model& reference, const Model& candidate, const Values& inputs,
                    const RunOptions& options) {
  RunOptions eager_options = options;
  if (options.announce) options.announce(kEagerPhase);
  eager_options.announce = nullptr;
  const RunEnd eager = RunModel(reference, inputs, eager_options);
  if (!eager.ok()) {
    return {.status = CheckStatus::kReferenceFailed,
            .message = fmt::format("eager itself failed: {}", eager.failure->ToString()),
            .failure = eager.failure};
  }
  const RunEnd outcome = RunModel(candidate, inputs, options);
  if (!outcome.ok()) return FailedCandidate(*outcome.failure);
  return {};
}

/// Whoever wrote the file may have looked for one exception only.
void SetOthersAside(const repro::Header& header, CheckResult& result) {
  const auto wanted = header.settings.find(repro::kCheckTextSetting);
  if (wanted == header.settings.end() || result.status != CheckStatus::kCandidateFailed) return;
  const std::string text = fmt::format("{}: {}", result.failure->type, result.failure->message);
  if (text.find(wanted->second) != std::string::npos) return;
  result = {.warnings = {fmt::format("set aside, since its text does not hold '{}': {}",
                                     base::Shortened(wanted->second), base::Shortened(text))}};
}

/// Of the machine that the program was recorded on, unless the user has chosen for this one.
std::string RecordedIsa(const repro::Header& header) {
  if (!header.written_by || std::getenv("ATEN_CPU_CAPABILITY") != nullptr) return "";
  const std::string& cpu = header.written_by->cpu;
  if (cpu == "AVX512") return "avx512";
  if (cpu == "AVX2") return "avx2";
  return cpu == "DEFAULT" || cpu == "NO AVX" ? "default" : "";
}

base::Result<std::vector<faults::Fault>> FaultsOf(const repro::Header& header) {
  if (header.faults.empty()) return std::vector<faults::Fault>();
  const backend::Spec spec = CULPRIT_TRY(backend::ParseSpec(header.backend));
  const backend::Description description = CULPRIT_TRY(backends::Describe(spec));
  return faults::ParseFaults(header.faults, CULPRIT_TRY(backends::IsBelowAutograd(description, spec)));
}

/// About faults in passes that are for the graph, and found nothing there that their pass had made.
std::vector<std::string> IdleFaults(const repro::Repro& repro, const std::set<std::string>& struck) {
  std::vector<std::string> idle;
  const std::vector<faults::Fault> faults = *FaultsOf(repro.header);
  for (const faults::Fault& fault : faults) {
    if (!fault.is_in_pass() || struck.contains(fault.ToString())) continue;
    if (fault.where.GuiltyNodes(repro.graph).empty()) continue;
    idle.push_back(fmt::format("the fault '{}' had nothing to spoil: pass {} did nothing to {}",
                               fault.ToString(), fault.kind->pass, fault.where.ToString()));
  }
  return idle;
}

bool OnlyRuns(const repro::Header& header) {
  return header.accuracy.value_or(repro::Accuracy::kOff) == repro::Accuracy::kOff;
}

/// What the compiler's own project does not hold to be a bug is told, and does not count.
CheckResult WithoutKnownDifferences(CheckResult result, const repro::Repro& repro, const Model& candidate,
                                    backend::Backend* elsewhere, const Values& inputs,
                                    const CheckOptions& options) {
  if (result.status != CheckStatus::kDifferent) return result;
  const base::Result<backend::Spec> spec = backend::ParseSpec(repro.header.backend);
  if (!spec.ok()) return result;
  const std::optional<KnownDifferences> known = FindKnownDifferences(spec->name, repro.graph);
  if (!known) return result;
  CheckResult explained =
      SameTwoModels(*ReferenceFor(elsewhere, known->graph, inputs), candidate, inputs, options);
  if (explained.status != CheckStatus::kSame) return result;
  explained.warnings.insert(explained.warnings.end(), known->lines.begin(), known->lines.end());
  return explained;
}

/// Without an `original`, eager of the backend's environment is the reference.
CheckResult RunAsIs(const repro::Repro& repro, backend::Backend& backend,
                    const std::function<void(std::string_view)>& announce, const Model* original = nullptr) {
  const std::set<size_t> frozen = FrozenInputs(backend, repro.graph);
  const auto [inputs, warning] = InputsFor(backend, repro, frozen);
  const std::unique_ptr<backend::Backend> elsewhere = backend.EagerElsewhere();
  const std::unique_ptr<Model> reference =
      original != nullptr ? original->Copy() : ReferenceFor(elsewhere.get(), repro.graph, inputs);
  const CompiledModel candidate(backend, repro.graph, inputs);
  CheckOptions options = CheckOptionsOf(repro.header);
  options.run.calls = std::max(options.run.calls, backend.calls());
  options.run.announce = announce;
  options.frozen_inputs = frozen;
  CheckResult result = OnlyRuns(repro.header) ? OnlyRun(*reference, candidate, inputs, options.run)
                                              : SameTwoModels(*reference, candidate, inputs, options);
  SetOthersAside(repro.header, result);
  if (OnlyRuns(repro.header)) return result;
  result = WithoutKnownDifferences(std::move(result), repro, candidate, elsewhere.get(), inputs, options);
  if (!warning.empty()) result.warnings.push_back(warning);
  return result;
}

/// A compiler that draws numbers of its own has to run, and to compute right what follows from eager's.
CheckResult RunWithEagersNumbers(const repro::Repro& repro, backend::Backend& backend,
                                 const std::function<void(std::string_view)>& announce) {
  repro::Repro asked = repro;
  asked.header.accuracy = repro::Accuracy::kOff;
  CheckResult runs = RunAsIs(asked, backend, announce);
  if (runs.status != CheckStatus::kSame || OnlyRuns(repro.header)) return runs;
  base::Result<graph::HoistedGraph> hoisted = [&] {
    // Numbers are drawn alike in these modes, but tensors that were made in inference mode are of no use
    // later.
    repro::RunSettings settings = repro.header.run;
    settings.grad = false;
    settings.inference = false;
    const repro::RunScope scope(settings);
    return WithoutRandomOperators(repro.graph, repro.inputs);
  }();
  if (!hoisted.ok()) {
    runs.warnings.push_back("numbers were not compared, since the compiler draws other random numbers: " +
                            hoisted.error().message);
    return runs;
  }
  asked.header.accuracy = repro.header.accuracy;
  asked.graph = std::move(hoisted->graph);
  asked.inputs.insert(asked.inputs.end(), hoisted->added_inputs.begin(), hoisted->added_inputs.end());
  CheckResult result = RunAsIs(asked, backend, announce);
  result.warnings.emplace_back(
      "the compiler draws other random numbers: it was compared on those that eager drew");
  return result;
}

}  // namespace

base::Result<std::unique_ptr<backend::Backend>> OpenBackend(
    const repro::Header& header, const std::function<void(const std::string&)>& log,
    const faults::OnSpoiled& on_spoiled) {
  const std::vector<faults::Fault> faults = CULPRIT_TRY(FaultsOf(header));
  return backends::Open(CULPRIT_TRY(backend::ParseSpec(header.backend)),
                        {.log = log,
                         .wrap =
                             [&](std::unique_ptr<backend::Backend> compiler) {
                               return faults::WithFaults(std::move(compiler), faults, on_spoiled);
                             },
                         .isa = RecordedIsa(header)});
}

base::Result<backend::FailureKinds> IgnoredKinds(const repro::Header& header) {
  const auto setting = header.settings.find(repro::kIgnoreSetting);
  if (setting == header.settings.end()) return backend::FailureKinds{};
  base::Result<backend::FailureKinds> kinds = backend::ParseFailureKinds(setting->second);
  if (kinds.ok()) return kinds;
  base::Diagnostic error = kinds.error();
  error.message = fmt::format("the header's 'settings.{}': {}", repro::kIgnoreSetting, error.message);
  return error;
}

CheckOptions CheckOptionsOf(const repro::Header& header) {
  const bool strict = header.accuracy == repro::Accuracy::kStrict;
  CheckOptions options = strict ? CheckOptions::Strict() : CheckOptions::Accuracy();
  const compare::Options rules = options.compare;
  options.compare = header.compare;
  options.compare.equal_nan = rules.equal_nan;
  options.compare.ignore_non_float |= rules.ignore_non_float;
  const auto fp64 = header.settings.find("repro_fp64");
  if (fp64 != header.settings.end() && fp64->second == "false") options.fp64 = Fp64::kNever;
  // Half of it, so that the rest of the check has room beside it.
  if (const auto mib = repro::NumberAmong(header.settings, repro::kMemoryLimitSetting))
    options.fp64_memory_bytes = static_cast<int64_t>(*mib << 20) / 2;
  options.run = {.settings = header.run, .only_forward = header.only_forward, .calls = header.calls};
  return options;
}

CheckResult RunQuery(const repro::Repro& repro, backend::Backend& backend,
                     const std::function<void(std::string_view)>& announce) {
  if (!backend.draws_as_eager() && DrawsRandomNumbers(repro.graph))
    return RunWithEagersNumbers(repro, backend, announce);
  return RunAsIs(repro, backend, announce);
}

CheckResult RunQuery(const repro::Repro& repro, const Model& reference, backend::Backend& backend,
                     const std::function<void(std::string_view)>& announce) {
  if (backend.draws_as_eager() || !DrawsRandomNumbers(repro.graph))
    return RunAsIs(repro, backend, announce, &reference);
  repro::Repro asked = repro;
  asked.header.accuracy = repro::Accuracy::kOff;
  return RunAsIs(asked, backend, announce, &reference);
}

base::Result<CheckResult> RunQuery(const repro::Repro& repro,
                                   const std::function<void(std::string_view)>& announce) {
  std::vector<std::string> reasons;
  std::set<std::string> struck;
  const auto backend = CULPRIT_TRY(OpenBackend(
      repro.header, [&](const std::string& reason) { reasons.push_back(reason); },
      [&](const faults::Fault& fault) { struck.insert(fault.ToString()); }));
  CheckResult result = RunQuery(repro, *backend, announce);
  for (const std::string& reason : reasons) result.warnings.push_back(reason);
  for (const std::string& idle : IdleFaults(repro, struck)) result.warnings.push_back(idle);
  return result;
}

base::Status OnlyCompile(const repro::Repro& repro) {
  const auto backend = CULPRIT_TRY(OpenBackend(repro.header));
  const Values inputs = InputsFor(*backend, repro, FrozenInputs(*backend, repro.graph)).values;
  const repro::RunScope scope(repro.header.run);
  try {
    CompiledModel(*backend, repro.graph, inputs).Copy();
  } catch (const std::exception& error) {
    return base::Diagnostic{{fmt::format("backend '{}'", repro.header.backend)}, error.what()};
  }
  return base::Done{};
}

}  // namespace culprit::check
