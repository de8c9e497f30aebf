// SPDX-License-Identifier: Apache-2.0
#include "repro/header/header_keys.h"

namespace culprit::repro {

std::span<const Key<RunSettings>> RunKeys() {
  static constexpr Key<RunSettings> kKeys[] = {
      {"grad", &RunSettings::grad},
      {"inference", &RunSettings::inference},
      {"default_dtype", &RunSettings::default_dtype},
      {"deterministic", &RunSettings::deterministic},
      {"deterministic_warn_only", &RunSettings::deterministic_warn_only},
      {"threads", &RunSettings::threads},
      {"interop_threads", &RunSettings::interop_threads},
      {"seed", &RunSettings::seed},
  };
  return kKeys;
}

std::span<const Key<compare::Options>> CompareKeys() {
  using compare::Options;
  static constexpr Key<Options> kKeys[] = {
      {"tolerance", &Options::tolerance},
      {"equal_nan", &Options::equal_nan},
      {"exact_dtype", &Options::exact_dtype},
      {"ignore_non_float", &Options::ignore_non_float},
      {"cosine_similarity", &Options::cosine_similarity},
      {"larger_multiplier_for_small", &Options::larger_multiplier_for_small},
      {"force_max_multiplier", &Options::force_max_multiplier},
      {"iou_for_bool", &Options::iou_for_bool},
      {"iou_threshold", &Options::iou_threshold},
      {"compare_requires_grad", &Options::compare_requires_grad},
      {"compare_aliasing", &Options::compare_aliasing},
      {"compare_strides", &Options::compare_strides},
  };
  return kKeys;
}

std::span<const Key<WrittenBy>> WrittenByKeys() {
  static constexpr Key<WrittenBy> kKeys[] = {
      {"culprit", &WrittenBy::culprit},
      {"libtorch", &WrittenBy::libtorch},
      {"blas", &WrittenBy::blas},
      {"cpu", &WrittenBy::cpu},
  };
  return kKeys;
}

}  // namespace culprit::repro
