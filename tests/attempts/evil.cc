// SPDX-License-Identifier: Apache-2.0
//
// A library that shows that it was loaded.
#include <fcntl.h>
#include <unistd.h>

namespace {

__attribute__((constructor)) void LeaveCanary() {
  const int file = open("canary", O_WRONLY | O_CREAT, 0600);
  if (file >= 0) close(file);
}

}  // namespace
