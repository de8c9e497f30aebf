// SPDX-License-Identifier: Apache-2.0
//
// Standard streams that are closed when a process starts, as by `culprit run net.py <&- 2>&-`.
//
// The next files that are opened would get their numbers: messages would go into a socket, and standard input
// would be read from one, which never ends. So before the constructors of libraries open anything, a closed
// stream is made to lead nowhere: what is written is dropped, and reading is an error (EBADF), as it was.
#include <fcntl.h>
#include <unistd.h>

#include <initializer_list>

namespace {

void BeforeLibraries(int /*argc*/, char** /*argv*/, char** /*environment*/) {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    // The lowest number that is free, which is this one.
    if (fcntl(stream, F_GETFD) < 0) open("/dev/null", O_WRONLY);  // NOLINT: it stays open
  }
}

__attribute__((section(".preinit_array"), used)) void (*before_libraries)(int, char**,
                                                                          char**) = BeforeLibraries;

}  // namespace
