// SPDX-License-Identifier: Apache-2.0
//
// Where a server in Python was when it died, as its faulthandler has printed it.
//
//   Fatal Python error: Segmentation fault
//
//   Current thread 0x00007f0d (most recent call first):
//     File "/opt/mine/fuse.py", line 12 in fuse          =>  "fuse at /opt/mine/fuse.py:12"
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace culprit::check {

/// The innermost first, and no more than a reader wants. Empty if nothing of the kind was printed.
std::vector<std::string> PythonFrames(std::string_view output);

}  // namespace culprit::check
