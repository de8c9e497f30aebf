// SPDX-License-Identifier: Apache-2.0
#include "compare/verdict/verdict.h"

#include <algorithm>

namespace culprit::compare {

std::string_view NameOf(MismatchKind kind) {
  switch (kind) {
    case MismatchKind::kType:
      return "type";
    case MismatchKind::kLength:
      return "length";
    case MismatchKind::kKeys:
      return "keys";
    case MismatchKind::kValue:
      return "value";
    case MismatchKind::kDtype:
      return "dtype";
    case MismatchKind::kShape:
      return "shape";
    case MismatchKind::kLayout:
      return "layout";
    case MismatchKind::kDevice:
      return "device";
    case MismatchKind::kStrides:
      return "strides";
    case MismatchKind::kQuantizer:
      return "quantizer";
    case MismatchKind::kRequiresGrad:
      return "requires_grad";
    case MismatchKind::kAliasing:
      return "aliasing";
    case MismatchKind::kNoData:
      return "no data";
    case MismatchKind::kFp64:
      return "fp64";
    case MismatchKind::kUnsupported:
      return "unsupported";
  }
  return "unknown";
}

std::string_view NameOf(Rule rule) {
  switch (rule) {
    case Rule::kEqual:
      return "equal";
    case Rule::kAllClose:
      return "allclose";
    case Rule::kFp64:
      return "fp64";
    case Rule::kTruth:
      return "truth";
    case Rule::kNanRescue:
      return "nan rescue";
    case Rule::kCosine:
      return "cosine";
    case Rule::kIou:
      return "iou";
    case Rule::kIgnored:
      return "ignored";
    case Rule::kNoise:
      return "noise";
  }
  return "unknown";
}

bool Verdict::passes() const {
  return mismatches.empty() &&
         std::all_of(outputs.begin(), outputs.end(), [](const Output& output) { return output.passes; });
}

}  // namespace culprit::compare
