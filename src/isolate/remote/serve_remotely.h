// SPDX-License-Identifier: Apache-2.0
//
// The worker's side of remote_worker.h. Requests come from whoever started this process, and are trusted.
#pragma once

#include <functional>
#include <memory>

#include "base/result.h"
#include "isolate/remote/remote_worker.h"
#include "isolate/zygote.h"

namespace culprit::isolate {

struct RemoteService {
  MadeOf made_of;
  /// Does what the setup asks for, and forks the process that children come from.
  std::function<base::Result<std::shared_ptr<const Zygote>>(const ParcelHead& setup)> start;
  /// Starts this program anew in place of this process, on the same standard streams; returns if it cannot.
  std::function<void()> renew;
  /// Starts what the children of a request need to find.
  std::function<base::Status(const Message& request)> prepare;
};

/// Until `in` ends; while a request runs, that ends this process at once. An error if what comes is no
/// parcel.
base::Status ServeRemotely(int in, int out, const RemoteService& service);

}  // namespace culprit::isolate
