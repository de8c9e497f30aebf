// SPDX-License-Identifier: Apache-2.0
//
// Models of torchvision and transformers as tests/fixtures/make_model_archives.py makes them. Those that were
// made before are kept in the build folder, so only the first run of a build takes its time.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace culprit::tests {

constexpr const char* kModelSample[] = {
    "resnet18",  "mobilenet_v3_small",        "shufflenet_v2_x0_5",
    "googlenet", "lraspp_mobilenet_v3_large", "hf_gpt2",
};

/// The rows of models.json (see the script): those of the sample, or all but the traced twins of others.
nlohmann::json ModelArchives(bool all);
/// Those with these names, in this order; all if there are none.
nlohmann::json ModelArchives(const std::vector<std::string>& names);

/// The path of the archive.
std::string ArchiveOf(const nlohmann::json& row);

}  // namespace culprit::tests
