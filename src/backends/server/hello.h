// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "backend/description.h"
#include "backend/parameters.h"
#include "base/result.h"

namespace culprit::backends::server {

/// What a server says about itself.
struct Hello {
  backend::Description description;
  backend::Parameters parameters = backend::Parameters::kLifted;
  /// Types of devices, as in "cpu", whose tensors it takes.
  std::vector<std::string> devices = {"cpu"};
  bool takes_symbols = false;
  bool draws_as_eager = true;
  int calls = 1;
  /// It takes captured graphs with gradients, and gives these.
  bool gives_gradients = false;
  /// The option that makes parameters constants of graphs without gradients; empty if there is none.
  std::string freezes_with = {};
};

/// `name` is what users write.
base::Result<Hello> ReadHello(const std::string& name, const nlohmann::json& answer);

}  // namespace culprit::backends::server
