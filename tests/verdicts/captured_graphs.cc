// SPDX-License-Identifier: Apache-2.0
#include "tests/verdicts/captured_graphs.h"

#include "autograd/partition/partition.h"
#include "check/query/query.h"
#include "explain/capture_model.h"
#include "graph/passes/choose_parameters.h"
#include "repro/read_repro.h"
#include "tests/capture/hazard.h"
#include "tests/lib/temporary_folder.h"

namespace culprit::tests {
namespace {

base::Result<repro::Repro> ReadGraph(const std::string& path) {
  repro::ReadRepro read = CULPRIT_TRY(repro::OpenRepro(path, ReadWholeFile(path)));
  return CULPRIT_TRY(repro::LoadRepro(std::move(read))).repro;
}

base::Result<std::vector<repro::Repro>> Capture(const Hazard& program, uint64_t seed) {
  const TemporaryFolder folder;
  explain::CaptureRequest request{.file = program.path, .seed = seed, .graphs = folder.path()};
  request.call.inputs = program.calls.front();
  request.call.train = program.train;
  if (program.train) request.partition = autograd::kPartitionModes[0].name;
  const explain::Explanation captured = CULPRIT_TRY(explain::CaptureModel(request));
  if (captured.failure) return *captured.failure;
  std::vector<repro::Repro> graphs;
  for (const std::string& file : captured.files) graphs.push_back(CULPRIT_TRY(ReadGraph(file)));
  return graphs;
}

}  // namespace

base::Result<std::vector<repro::Repro>> GraphsOf(const std::string& path, uint64_t seed) {
  const std::string text = ReadWholeFile(path);
  if (text.find("\n# call:") != std::string::npos) return Capture(CULPRIT_TRY(ParseHazard(path, text)), seed);
  return std::vector<repro::Repro>{CULPRIT_TRY(ReadGraph(path))};
}

base::Result<repro::Repro> ForBackend(repro::Repro repro, const std::string& backend) {
  repro.header.backend = backend;
  repro.header.accuracy = repro::Accuracy::kStrict;
  const auto opened = CULPRIT_TRY(check::OpenBackend(repro.header));
  if (opened->parameters() == backend::Parameters::kFrozen)
    repro.graph = CULPRIT_TRY(graph::ChooseParameters(std::move(repro.graph), "auto")).graph;
  return repro;
}

}  // namespace culprit::tests
