// SPDX-License-Identifier: Apache-2.0
#include "backends/table.h"

#include <fmt/format.h>

#include "backends/eager/eager.h"
#include "base/text.h"

namespace culprit::backends {

std::span<const backend::Kind* const> AllKinds() {
  static const eager::Eager kEager;
  static const backend::Kind* const kKinds[] = {&kEager};
  return kKinds;
}

base::Result<std::unique_ptr<backend::Backend>> Open(const backend::Spec& spec) {
  std::vector<std::string_view> names;
  for (const backend::Kind* kind : AllKinds()) {
    if (kind->description().name == spec.name) {
      return kind->Open(CULPRIT_TRY(backend::Configuration::Make(spec, kind->description())));
    }
    names.push_back(kind->description().name);
  }
  base::Diagnostic error{
      {}, fmt::format("unknown backend '{}'{}", spec.name, base::DidYouMean(spec.name, names))};
  error.help = "to see all backends, run: culprit backends";
  return error;
}

}  // namespace culprit::backends
