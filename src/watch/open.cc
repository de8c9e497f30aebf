// SPDX-License-Identifier: Apache-2.0
#include "watch/open.h"

#include <fmt/format.h>

#include <filesystem>
#include <sstream>

#include "backends/table.h"
#include "check/query/stamp.h"
#include "faults/with_fault.h"
#include "watch/debug/debug_backend.h"
#include "watch/watched_backend.h"

namespace culprit::watch {
namespace {

repro::Header HeaderFor(const std::string& backend, const base::Settings& settings) {
  repro::Header header;
  header.backend = backend.empty() ? settings.backend : backend;
  header.backend = check::AbsoluteBackend(header.backend);
  std::istringstream faults(settings.faults);
  for (std::string fault; std::getline(faults, fault, ',');) header.faults.push_back(fault);
  header.accuracy = repro::Accuracy::kStrict;
  header.compare.ignore_non_float = settings.repro_ignore_non_float;
  header.only_forward = settings.repro_forward_only;
  header.compare.tolerance = settings.repro_tolerance;
  header.settings = base::NonDefault(settings);
  return header;
}

/// Of graphs that autograd has made: they have no gradients.
repro::Header AotHeader(repro::Header header, std::string backend) {
  header.backend = std::move(backend);
  header.only_forward = true;
  return header;
}

std::shared_ptr<WatchSession> MakeSession(base::Settings settings, repro::Header header,
                                          const WatchOptions& options) {
  // Wherever the program goes. Without a working folder the relative name has to do.
  std::error_code error;
  const std::filesystem::path directory = std::filesystem::absolute(settings.directory, error);
  if (!error) settings.directory = directory.lexically_normal();
  if (options.rank)
    header.settings[repro::kRankSetting] = fmt::format("{} of {}", options.rank->rank, options.rank->size);
  return std::make_shared<WatchSession>(std::move(settings), std::move(header), options.warn, options.rank);
}

}  // namespace

std::shared_ptr<WatchSession> OpenSession(const NamedCompiler& compiler, base::Settings settings,
                                          const WatchOptions& options) {
  repro::Header header = HeaderFor(compiler.captured, settings);
  auto session = MakeSession(std::move(settings), header, options);
  session->set_splits_graphs(compiler.splits_graphs);
  if (compiler.splits_graphs)
    session->set_aot_header(AotHeader(session->header(Point::kCapture), compiler.split));
  return session;
}

base::Result<std::unique_ptr<backend::Backend>> WatchWithFaults(std::unique_ptr<backend::Backend> compiler,
                                                                Point point,
                                                                const std::shared_ptr<WatchSession>& session,
                                                                std::shared_ptr<backend::Compiled> original) {
  // Faults are the compiler's own, and that is at the lower point.
  if (point == Point::kAot) {
    const std::vector<faults::Fault> faults =
        CULPRIT_TRY(faults::ParseFaults(session->header(point).faults, session->splits_graphs()));
    compiler = CULPRIT_TRY(faults::WithFaults(std::move(compiler), faults));
  }
  return Watch(std::move(compiler), point, session, std::move(original));
}

base::Result<OpenedBackend> Open(const std::string& backend, base::Settings settings,
                                 const WatchOptions& options) {
  const repro::Header header = HeaderFor(backend, settings);
  const backend::Spec spec = CULPRIT_TRY(backend::ParseSpec(header.backend));
  const bool has_debug_folders = settings.debug;
  const auto session = MakeSession(std::move(settings), header, options);
  const backend::Description description = CULPRIT_TRY(backends::Describe(spec));
  session->set_splits_graphs(CULPRIT_TRY(backends::IsBelowAutograd(description, spec)));
  if (session->splits_graphs())
    session->set_aot_header(
        AotHeader(session->header(Point::kCapture), backends::ForSplitGraphs(description, spec).ToString()));
  const std::vector<faults::Fault> faults =
      CULPRIT_TRY(faults::ParseFaults(header.faults, session->splits_graphs()));
  const auto debug = has_debug_folders ? std::make_shared<DebugFolders>(session, options.log) : nullptr;
  const auto with_debug = [&](std::unique_ptr<backend::Backend> compiler, Point point) {
    return debug ? WithDebugFolders(std::move(compiler), point, debug) : std::move(compiler);
  };
  const auto wrap =
      [&](std::unique_ptr<backend::Backend> compiler) -> base::Result<std::unique_ptr<backend::Backend>> {
    compiler = with_debug(CULPRIT_TRY(faults::WithFaults(std::move(compiler), faults)), Point::kAot);
    return Watch(std::move(compiler), Point::kAot, session);
  };
  std::unique_ptr<backend::Backend> opened =
      CULPRIT_TRY(backends::Open(spec, {.log = options.log, .wrap = wrap}));
  opened = with_debug(std::move(opened), Point::kCapture);
  return OpenedBackend{Watch(std::move(opened), Point::kCapture, session), session, debug};
}

}  // namespace culprit::watch
