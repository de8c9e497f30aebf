// SPDX-License-Identifier: Apache-2.0
#include "python/write_graph.h"

#include "check/query/stamp.h"
#include "repro/write_repro.h"

namespace culprit::python {

base::Status WriteGraph(const FxGraph& graph, const std::string& path, const std::string& compiler,
                        backend::Values inputs) {
  repro::Header header;
  header.backend = compiler;
  header.run = repro::CurrentRunSettings();
  check::Stamp(header);
  CULPRIT_TRY(repro::WriteRepro(path, {graph.graph(), std::move(inputs), std::move(header)}));
  return base::Done{};
}

}  // namespace culprit::python
