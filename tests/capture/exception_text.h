// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <exception>
#include <string>

namespace culprit::tests {

/// The class and the message, without the traceback, which a program that was compiled cannot have.
std::string ExceptionText(const std::exception& error);

}  // namespace culprit::tests
