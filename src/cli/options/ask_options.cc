// SPDX-License-Identifier: Apache-2.0
#include "cli/options/ask_options.h"

#include "cli/options/compiler_options.h"
#include "cli/options/file_options.h"

namespace culprit::cli {

void DeclareAsk(CLI::App& app, tasks::AskRequest& ask) {
  DeclareFile(app, ask.file);
  DeclareWhich(app, ask.file);
  DeclareCompiler(app, ask.compiler);
  DeclareMatch(app, ask.match);
}

}  // namespace culprit::cli
