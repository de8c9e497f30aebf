// SPDX-License-Identifier: Apache-2.0
//
// A compiler whose graphs leave debug folders (debug_folders.h). It stands in two places:
//
//   program => capture => [kCapture: seconds] => autograd => [kAot: graphs and seconds] => compiler
#pragma once

#include <memory>

#include "backend/backend.h"
#include "watch/debug/debug_folders.h"
#include "watch/subject/watched_graph.h"

namespace culprit::watch {

std::unique_ptr<backend::Backend> WithDebugFolders(std::unique_ptr<backend::Backend> compiler, Point point,
                                                   std::shared_ptr<DebugFolders> folders);

}  // namespace culprit::watch
