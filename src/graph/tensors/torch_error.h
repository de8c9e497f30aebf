// SPDX-License-Identifier: Apache-2.0
//
// What libtorch throws: mostly c10::Error, but plain std::exception where it computes sizes (a view that does
// not fit) or parses numbers. So its border is guarded with
//
//   try { ... } catch (const std::exception& error) { return Diagnostic{{}, TorchMessage(error)}; }
#pragma once

#include <exception>
#include <string>

namespace culprit::graph {

/// The message without a backtrace, without advice to developers of PyTorch ("This could be because ...") and
/// without dispatch tables. Throws on what is no error of libtorch but a base::InternalError of ours.
std::string TorchMessage(const std::exception& error);

}  // namespace culprit::graph
