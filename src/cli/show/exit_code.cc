// SPDX-License-Identifier: Apache-2.0
#include "cli/show/exit_code.h"

#include "check/verdict/sign.h"
#include "cli/show/print.h"

namespace culprit::cli {

int Fail(const base::Diagnostic& error) {
  return Fail(error, CodeOf(error.cause));
}

int Fail(const base::Diagnostic& error, ExitCode code) {
  PrintErr("{}\n", error.Render());
  return code;
}

ExitCode CodeOf(base::Cause cause) {
  switch (cause) {
    case base::Cause::kEnvironment:
      return kEnvironment;
    case base::Cause::kReference:
      return kReference;
    case base::Cause::kInput:
      return kUsage;
  }
  return kInternal;
}

ExitCode CodeOfInvalid(std::string_view reason) {
  return CodeOf(check::CauseOfReference(reason));
}

}  // namespace culprit::cli
