// SPDX-License-Identifier: Apache-2.0
//
// A process group as programs have one, over the loopback interface. The class is libtorch's; its header
// wants those of Gloo, of which PyTorch brings none, so the part of it that is needed is declared here.
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <torch/csrc/distributed/c10d/Backend.hpp>
#include <torch/csrc/distributed/c10d/ProcessGroup.hpp>
#include <torch/csrc/distributed/c10d/Store.hpp>
#include <vector>

namespace gloo::transport {
class Device;
}

namespace c10d {

class ProcessGroupGloo : public Backend {
 public:
  struct Options : public Backend::Options {
    explicit Options(std::chrono::milliseconds timeout);

    std::vector<std::shared_ptr<::gloo::transport::Device>> devices;
    int threads;
  };

  ProcessGroupGloo(const c10::intrusive_ptr<Store>& store, int rank, int size,
                   c10::intrusive_ptr<Options> options);
  static std::shared_ptr<::gloo::transport::Device> createDeviceForHostname(const std::string& hostname,
                                                                            bool lazy);

 private:
  /// For the members, which take less.
  std::byte room_[4096];
};

}  // namespace c10d

namespace culprit::tests {

/// Stays for ever: libtorch would free it with another size than it has here.
inline c10d::ProcessGroup& MakeGlooGroup(const c10::intrusive_ptr<c10d::Store>& store, int rank, int size) {
  auto options = c10::make_intrusive<c10d::ProcessGroupGloo::Options>(std::chrono::seconds(20));
  options->devices = {c10d::ProcessGroupGloo::createDeviceForHostname("127.0.0.1", /*lazy=*/false)};
  const auto gloo = c10::make_intrusive<c10d::ProcessGroupGloo>(store, rank, size, std::move(options));
  const auto group = c10::make_intrusive<c10d::ProcessGroup>(store, rank, size);
  group->setBackend(c10::DeviceType::CPU, c10d::ProcessGroup::BackendType::GLOO, gloo);
  c10::raw::intrusive_ptr::incref(gloo.get());
  c10::raw::intrusive_ptr::incref(group.get());
  return *group;
}

}  // namespace culprit::tests
