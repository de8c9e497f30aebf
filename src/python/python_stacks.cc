// SPDX-License-Identifier: Apache-2.0
#include "python/python_stacks.h"

#include <Python.h>
#include <dlfcn.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>

namespace culprit::python {
namespace {

/// What faulthandler calls in handlers of signals. It is exported, and in no public header.
using Dump = const char* (*)(int file, PyInterpreterState* interpreter, PyThreadState* thread);

std::string ContentsOf(int file) {
  std::string text;
  std::array<char, 4096> buffer;
  lseek(file, 0, SEEK_SET);
  for (ssize_t got = 0; (got = read(file, buffer.data(), buffer.size())) > 0;)
    text.append(buffer.data(), static_cast<size_t>(got));
  return text;
}

}  // namespace

std::string StacksOfPython() {
  const auto dump = reinterpret_cast<Dump>(dlsym(RTLD_DEFAULT, "_Py_DumpTracebackThreads"));
  const int file = dump == nullptr ? -1 : memfd_create("stacks", MFD_CLOEXEC);
  if (file < 0) return "";
  dump(file, nullptr, nullptr);
  std::string text = ContentsOf(file);
  close(file);
  return text;
}

}  // namespace culprit::python
