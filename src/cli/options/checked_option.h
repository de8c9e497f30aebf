// SPDX-License-Identifier: Apache-2.0
//
// Options whose values are checked when the command line is read, with errors that say what is wanted:
//
//   culprit run: error: --seed must be an integer from 0 to 18446744073709551615, not '-1'
#pragma once

#include <c10/core/Device.h>

#include <CLI/CLI.hpp>
#include <cstdint>
#include <functional>
#include <string>

namespace culprit::cli {

/// The value goes to `set`.
CLI::Option* AddInteger(CLI::App& app, const std::string& name, std::function<void(uint64_t)> set,
                        uint64_t lowest, uint64_t highest, const std::string& description);
CLI::Option* AddDevice(CLI::App& app, const std::string& name, std::function<void(at::Device)> set,
                       const std::string& description);

}  // namespace culprit::cli
