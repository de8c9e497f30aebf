// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "repro/header/header.h"

namespace culprit::check {

/// Says in the header which versions and which machine it was written with, and how many threads, where that
/// is not known: a file that does not say will be run with as many as here.
void Stamp(repro::Header& header);

/// The backend as it is found from any folder: a plug-in has its whole path, and so has an interpreter.
std::string AbsoluteBackend(const std::string& backend);

}  // namespace culprit::check
