// SPDX-License-Identifier: Apache-2.0
//
// Exists so that CMake has a target to hang the precompiled header on.
