// SPDX-License-Identifier: Apache-2.0
#include "open/compiler_request.h"

#include <algorithm>

#include "backend/spec.h"
#include "backends/trust.h"
#include "check/query/query.h"
#include "check/query/query_limits.h"
#include "repro/header/header_settings.h"

namespace culprit::open {

using repro::NumberAmong;

isolate::Limits CompilerRequest::limits() const {
  isolate::Limits limits = check::QueryLimits();
  if (timeout_seconds) {
    limits.wall_time = std::chrono::seconds(*timeout_seconds);
    limits.growth.time = 0;
  }
  if (cpu_seconds) limits.cpu_time = std::chrono::seconds(*cpu_seconds);
  if (memory_mib) {
    limits.memory_bytes = *memory_mib << 20;
    limits.growth.memory = 0;
  }
  if (output_kib) limits.output_bytes = *output_kib << 10;
  return limits;
}

isolate::Limits CompilerRequest::limits(const repro::Header& header) const {
  CompilerRequest merged = *this;
  merged.TakeRecorded(header);
  return merged.limits();
}

void CompilerRequest::TakeRecorded(const repro::Header& header) {
  if (!timeout_seconds) timeout_seconds = NumberAmong(header.settings, repro::kTimeoutSetting);
  if (!cpu_seconds) cpu_seconds = NumberAmong(header.settings, repro::kCpuLimitSetting);
  if (ignored.empty()) {
    // A file that names no kinds is refused when it is opened (Apply).
    const base::Result<backend::FailureKinds> recorded = check::IgnoredKinds(header);
    if (recorded.ok()) ignored = *recorded;
  }
  if (memory_mib) return;
  memory_mib = NumberAmong(header.settings, repro::kMemoryLimitSetting);
  // A file may ask for more memory than a query usually has, but not for all that the machine has.
  if (memory_mib) memory_mib = std::min(*memory_mib, check::MostMemoryOfAQuery() >> 20);
}

void CompilerRequest::Remember(repro::Header& header) const {
  if (timeout_seconds) header.settings[repro::kTimeoutSetting] = std::to_string(*timeout_seconds);
  if (cpu_seconds) header.settings[repro::kCpuLimitSetting] = std::to_string(*cpu_seconds);
  if (memory_mib) header.settings[repro::kMemoryLimitSetting] = std::to_string(*memory_mib);
  // Names are kept by the graph itself.
  if (freeze == "none") header.settings[repro::kFreezeSetting] = *freeze;
}

base::Status CompilerRequest::CheckRecorded(const repro::Header& header) const {
  CULPRIT_TRY(check::IgnoredKinds(header));
  if (backend || trust) return base::Done{};
  return backends::CheckFromFile(CULPRIT_TRY(backend::ParseSpec(header.backend)));
}

base::Status CompilerRequest::Apply(repro::Header& header, const std::string& file) const {
  if (!faults.empty()) header.faults = faults;
  if (backend) header.backend = *backend;
  if (!ignored.empty()) header.settings[repro::kIgnoreSetting] = backend::FailureKindsToString(ignored);
  base::Status status = CheckRecorded(header);
  if (status.ok()) return status;
  base::Diagnostic error = status.error();
  if (error.place.file.empty()) error.place.file = file;
  return error;
}

bool NamesCompiler(const repro::Header& header) {
  return header.backend != "eager" || !header.faults.empty();
}

}  // namespace culprit::open
