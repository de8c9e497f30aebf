// SPDX-License-Identifier: Apache-2.0
#include "check/query/stamp.h"

#include <ATen/Parallel.h>

#include <filesystem>

#include "backend/spec.h"
#include "process/environment.h"

namespace culprit::check {

void Stamp(repro::Header& header) {
  static const process::Environment& environment = *new process::Environment(process::DescribeEnvironment());
  header.written_by = {CULPRIT_VERSION, environment.torch_version, environment.blas,
                       environment.cpu_capability};
  if (!header.run.threads) header.run.threads = at::get_num_threads();
  if (!header.run.interop_threads) header.run.interop_threads = at::get_num_interop_threads();
}

std::string AbsoluteBackend(const std::string& backend) {
  base::Result<backend::Spec> spec = backend::ParseSpec(backend);
  if (!spec.ok() || !spec->names_file()) return backend;
  spec->name = std::filesystem::absolute(spec->name).lexically_normal();
  return spec->ToString();
}

}  // namespace culprit::check
