// SPDX-License-Identifier: Apache-2.0
//
// What a launcher has told this process in its environment:
//
//   rank and size     RANK, WORLD_SIZE                               torchrun
//                     OMPI_COMM_WORLD_RANK, OMPI_COMM_WORLD_SIZE     Open MPI
//                     PMI_RANK, PMI_SIZE                             MPICH, Intel MPI
//                     SLURM_PROCID, SLURM_NTASKS                     srun
//   where rank 0 is   MASTER_ADDR, MASTER_PORT                       torchrun; others have to be told
//
// The first pair of which one is set counts, and then both have to be.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "base/result.h"

namespace culprit::ranks {

struct Launch {
  int rank = 0;
  int size = 1;
  /// Of rank 0.
  std::string host;
  /// Of the program's own process group.
  uint16_t port = 0;
};

/// Like std::getenv: null for a variable that is not set.
using Variable = std::function<const char*(const char* name)>;

base::Result<Launch> ReadLaunch(const Variable& variable);

}  // namespace culprit::ranks
