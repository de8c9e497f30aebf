// SPDX-License-Identifier: Apache-2.0
//
// A loop over libtorch's own threads. at::parallel_for is a template around an OpenMP pragma: compiled
// without -fopenmp it is serial, and with it clang would bring a second OpenMP runtime beside libtorch's
// libgomp, with threads of its own. So this calls libgomp by its C interface: one pool for ATen's kernels and
// for ours.
#pragma once

#include <cstdint>
#include <functional>

namespace culprit::process {

/// Calls `work(b, e)` for pieces that together are [begin, end), each once, on up to at::get_num_threads()
/// threads. A piece starts at a multiple of `grain` behind `begin` and holds `grain` indices (the last one
/// fewer). Each thread has a share of its own, as with at::parallel_for, so that loops over the same memory
/// find it in the same processor's cache; one that is done takes pieces of the others. Serial and in order if
/// there is one piece only, one thread only, or the caller is such a thread itself. The first exception is
/// passed on, and no piece begins after it.
void ParallelFor(int64_t begin, int64_t end, int64_t grain,
                 const std::function<void(int64_t begin, int64_t end)>& work);

}  // namespace culprit::process
