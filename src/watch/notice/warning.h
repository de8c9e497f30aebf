// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace culprit::watch {

/// A warning of libtorch's, said now. Autograd keeps warnings back until a backward pass is over, and forgets
/// them if it throws, which is just when there is something to say: then the default handler says it.
void WarnNow(const std::string& text);

}  // namespace culprit::watch
