// SPDX-License-Identifier: Apache-2.0
//
// Settings that every process of Culprit makes once, first thing in main(): programs, tests and benchmarks
// alike, so that what one of them measures or computes holds for the others. startup/ does the one part that
// has to happen even earlier.
#pragma once

namespace culprit::process {

/// - malloc keeps blocks of up to 128 MiB instead of returning them to the system: eager pointwise code runs
///   several times faster, and comparisons with compiled code become fair;
/// - a c10::Error carries no symbolised backtrace: 15 microseconds instead of 2.7 milliseconds each;
/// - threads: OMP_NUM_THREADS if set, otherwise one per processor this process may use, which is what OpenMP
///   counts (libtorch alone takes MKL's number, at most one per core).
void ApplySettings();

}  // namespace culprit::process
