// SPDX-License-Identifier: Apache-2.0
#include "cli/run_guarded.h"

#include <cerrno>
#include <new>
#include <system_error>

#include "cli/command.h"
#include "cli/show/print.h"

namespace culprit::cli {
namespace {

int FailInside(const std::exception& error) {
  PrintErr("culprit: internal error: {}\n", error.what());
  return kInternal;
}

}  // namespace

int RunGuarded(const std::function<int()>& work) {
  try {
    return work();
  } catch (const std::bad_alloc&) {
    return Fail(base::SystemError({"culprit"}, "there is no memory left", ENOMEM));
  } catch (const std::system_error& error) {
    // As of a thread that cannot be started.
    const int number = error.code().value();
    if (base::CauseOf(number) != base::Cause::kEnvironment) return FailInside(error);
    return Fail(base::SystemError({"culprit"}, "it cannot go on", number));
  } catch (const std::exception& error) {
    return FailInside(error);
  }
}

}  // namespace culprit::cli
