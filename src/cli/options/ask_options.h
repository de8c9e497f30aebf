// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>

#include "tasks/ask.h"

namespace culprit::cli {

/// Options of the commands that ask about one file; they keep pointing at the request.
void DeclareAsk(CLI::App& app, tasks::AskRequest& ask);

}  // namespace culprit::cli
