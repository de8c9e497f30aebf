// SPDX-License-Identifier: Apache-2.0
//
// An archive with one storage, as torch.save() writes it, of which any bytes are replaced: reading must end
// with an error or with a storage of the size that was asked for. An input is a list of (place, new byte),
// two bytes and one; its first byte says whether the archive is deflated.
#include <caffe2/serialize/inline_container.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "process/settings.h"
#include "store/torch_storage.h"

namespace {

constexpr int64_t kStorageBytes = 100;

std::string MakeArchive(bool compress) {
  std::string archive;
  const auto append = [&](const void* bytes, size_t size) {
    archive.append(static_cast<const char*>(bytes), size);
    return size;
  };
  caffe2::serialize::PyTorchStreamWriter writer(append);
  const std::string contents(kStorageBytes, 'x');
  writer.writeRecord("data.pkl", contents.data(), 10, compress);
  writer.writeRecord("byteorder", "little", 6, compress);
  writer.writeRecord("data/0", contents.data(), contents.size(), compress);
  writer.writeEndOfFile();
  return archive;
}

culprit::files::OpenedFile InMemory(const std::string& contents) {
  const int file = memfd_create("archive", MFD_CLOEXEC);
  if (file < 0 || write(file, contents.data(), contents.size()) != static_cast<ssize_t>(contents.size())) {
    std::abort();
  }
  return {culprit::files::FileDescriptor(file), "fuzz", static_cast<int64_t>(contents.size())};
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int* /*argc*/, char*** /*argv*/) {
  culprit::process::ApplySettings();
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const std::string& stored = *new std::string(MakeArchive(false));
  static const std::string& deflated = *new std::string(MakeArchive(true));
  if (size == 0) return 0;
  std::string archive = data[0] % 2 == 0 ? stored : deflated;
  for (size_t i = 1; i + 2 < size; i += 3) {
    const size_t place = data[i] | data[i + 1] << 8;
    archive[place % archive.size()] = static_cast<char>(data[i + 2]);
  }
  const std::string hash(culprit::store::kTorchHashDigits, '0');
  const auto read = culprit::store::ReadTorchStorage(InMemory(archive), hash, kStorageBytes, /*verify=*/true);
  if (!read.ok() && size <= 3) {
    std::fprintf(stderr, "an archive that nobody changed cannot be read: %s\n",
                 read.error().Render().c_str());
    std::abort();
  }
  if (read.ok() && read->storage.nbytes() != kStorageBytes) std::abort();
  return 0;
}
