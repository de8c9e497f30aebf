// SPDX-License-Identifier: Apache-2.0
//
// torchvision's models as tests/fixtures/make_torchvision_models.py makes them. Those that were made before
// are kept in the build folder, so only the first run of a build takes its time.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace culprit::tests {

constexpr const char* kTorchvisionSample[] = {
    "resnet18",  "mobilenet_v3_small",        "shufflenet_v2_x0_5",
    "googlenet", "lraspp_mobilenet_v3_large", "ssdlite320_mobilenet_v3_large",
};

/// The rows of models.json (see the script): those of the sample, or the smallest model of every family.
nlohmann::json TorchvisionModels(bool all);

/// The path of the archive.
std::string ArchiveOf(const nlohmann::json& row);

}  // namespace culprit::tests
