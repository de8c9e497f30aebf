// SPDX-License-Identifier: Apache-2.0
#include "check/verdict/python_frames.h"

#include <fmt/format.h>

#include "base/text.h"

namespace culprit::check {
namespace {

constexpr std::string_view kCrashed = "Current thread ";
constexpr std::string_view kHeading = "(most recent call first):\n";
constexpr std::string_view kFile = "  File \"";
constexpr std::string_view kLine = "\", line ";
constexpr std::string_view kFunction = " in ";
/// Calls the compiler; what is around it is the same in all crashes.
constexpr std::string_view kWhoCalls = "/culprit/servers/compiled.py:";
constexpr size_t kMostFrames = 6;

/// Behind the heading of the thread that crashed, or, if that ran no Python, of the last one, which is the main
/// thread. Empty if there is none.
std::string_view FramesIn(std::string_view output) {
  const size_t crashed = output.rfind(kCrashed);
  const size_t heading =
      crashed == std::string_view::npos ? output.rfind(kHeading) : output.find(kHeading, crashed);
  return heading == std::string_view::npos ? "" : output.substr(heading + kHeading.size());
}

/// Empty if the line is no frame.
std::string FrameIn(std::string_view line) {
  if (!line.starts_with(kFile)) return "";
  line.remove_prefix(kFile.size());
  const size_t number = line.find(kLine);
  if (number == std::string_view::npos) return "";
  const std::string_view file = line.substr(0, number);
  line.remove_prefix(number + kLine.size());
  const size_t function = line.find(kFunction);
  if (function == std::string_view::npos) return "";
  return base::Printable(
      fmt::format("{} at {}:{}", line.substr(function + kFunction.size()), file, line.substr(0, function)));
}

}  // namespace

std::vector<std::string> PythonFrames(std::string_view output) {
  std::vector<std::string> frames;
  output = FramesIn(output);
  while (frames.size() < kMostFrames) {
    const size_t end = std::min(output.find('\n'), output.size());
    std::string frame = FrameIn(output.substr(0, end));
    if (frame.empty() || frame.find(kWhoCalls) != std::string::npos) break;
    frames.push_back(std::move(frame));
    output.remove_prefix(std::min(end + 1, output.size()));
  }
  return frames;
}

}  // namespace culprit::check
