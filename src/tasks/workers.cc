// SPDX-License-Identifier: Apache-2.0
#include "tasks/workers.h"

#include <unistd.h>

#include <filesystem>

#include "check/query/warm_up.h"
#include "isolate/remote/serve_remotely.h"
#include "process/environment.h"
#include "process/shared_library.h"

namespace culprit::tasks {
namespace {

constexpr isolate::Task kTasks[] = {check::kQueryTask};

isolate::MadeOf WhatThisIsMadeOf() {
  return {{"culprit", CULPRIT_VERSION}, {"PyTorch", process::DescribeEnvironment().torch_version}};
}

base::Result<std::shared_ptr<const isolate::Zygote>> StartZygote(const isolate::ParcelHead& setup) {
  for (const std::string library : setup.at("libraries")) CULPRIT_TRY(process::LoadSharedLibrary(library));
  check::WarmUp();
  return isolate::Zygote::Start(kTasks);
}

}  // namespace

base::Result<std::shared_ptr<Workers>> Workers::Start(const WorkersRequest& request,
                                                      std::function<bool()> stop,
                                                      std::function<void(const std::string&)> note) {
  std::error_code error;
  const std::string program = std::filesystem::read_symlink("/proc/self/exe", error);
  if (error) return base::SystemError({"culprit"}, "its own path is not known", error.value());
  isolate::ParcelHead libraries = isolate::ParcelHead::array();
  for (const std::string& library : request.libraries)
    libraries.push_back(std::filesystem::absolute(library).lexically_normal().string());
  return std::shared_ptr<Workers>(new Workers({.launch = {request.launcher, {program, "worker", "--stay"}},
                                               .workers = request.count,
                                               .made_of = WhatThisIsMadeOf(),
                                               .setup = {{"libraries", libraries}},
                                               .stop = std::move(stop),
                                               .note = std::move(note)}));
}

check::RunQueryRequest Workers::RunIn(std::shared_ptr<Workers> workers, Fresh fresh) {
  return
      [workers = std::move(workers), fresh](const isolate::Message& request, const isolate::Limits& limits) {
        return workers->pool_.Run(check::kQueryTask.name, request, limits, fresh);
      };
}

base::Status ServeWorkers(int in, int out) {
  return isolate::ServeRemotely(
      in, out,
      {.made_of = WhatThisIsMadeOf(),
       .start = &StartZygote,
       .renew = [] { execl("/proc/self/exe", "culprit", "worker", "--stay", nullptr); },
       .prepare = &check::PrepareForQuery});
}

}  // namespace culprit::tasks
