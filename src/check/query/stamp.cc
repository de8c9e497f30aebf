// SPDX-License-Identifier: Apache-2.0
#include "check/query/stamp.h"

#include <ATen/Parallel.h>

#include <filesystem>

#include "backend/spec.h"
#include "process/environment.h"

namespace culprit::check {
namespace {

std::string Absolute(const std::string& path) {
  return std::filesystem::absolute(path).lexically_normal();
}

}  // namespace

void Stamp(repro::Header& header) {
  static const process::Environment& environment = *new process::Environment(process::DescribeEnvironment());
  header.written_by = {CULPRIT_VERSION, environment.torch_version, environment.blas,
                       environment.cpu_capability};
  if (!header.run.threads) header.run.threads = at::get_num_threads();
  if (!header.run.interop_threads) header.run.interop_threads = at::get_num_interop_threads();
}

std::string AbsoluteBackend(const std::string& backend) {
  base::Result<backend::Spec> spec = backend::ParseSpec(backend);
  if (!spec.ok()) return backend;
  if (spec->names_file()) spec->name = Absolute(spec->name);
  for (backend::OptionSetting& option : spec->options)
    if (!spec->command() && option.name == backend::kPythonOption) option.value = Absolute(option.value);
  return spec->ToString();
}

}  // namespace culprit::check
