// SPDX-License-Identifier: Apache-2.0
//
// An answer as JSON, in which what is unknown is left out:
//
//   {"answer": "same failure", "signature": {...}, "reason": "...", "wrong_outputs": [0]}
#pragma once

#include <nlohmann/json.hpp>

#include "base/result.h"
#include "minify/failure_check.h"

namespace culprit::hunt {

nlohmann::ordered_json ReplyToJson(const minify::Reply& reply);
base::Result<minify::Reply> ReplyFromJson(const nlohmann::ordered_json& object);

}  // namespace culprit::hunt
