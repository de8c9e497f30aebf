// SPDX-License-Identifier: Apache-2.0
//
// Options of the commands that make a failing program smaller.
#pragma once

#include <CLI/CLI.hpp>

#include "hunt/request/hunt_request.h"

namespace culprit::cli {

/// The options that both commands have, but for which graph; they keep pointing at the request.
void DeclareHunt(CLI::App& app, hunt::HuntRequest& hunt);

}  // namespace culprit::cli
