// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "hunt/result/report.h"

namespace culprit::cli {

/// For people: what fails, how small it got, who is guilty, what passes, and what to do next.
std::string ReportAsText(const hunt::Report& report);
nlohmann::ordered_json ReportToJson(const hunt::Report& report);
std::string ReportAsJson(const hunt::Report& report);

}  // namespace culprit::cli
