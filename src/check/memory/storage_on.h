// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <c10/core/Storage.h>

namespace culprit::check {

/// Another storage on the same memory, which lives as long as one of them does. Whoever compares storages
/// sees two.
c10::Storage StorageOn(const c10::Storage& memory);

}  // namespace culprit::check
