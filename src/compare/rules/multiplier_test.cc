// SPDX-License-Identifier: Apache-2.0
//
// One test per row of the table in multiplier.h, with both columns.
#include "compare/rules/multiplier.h"

#include <gtest/gtest.h>

namespace culprit::compare {
namespace {

struct Expected {
  double a;
  double b;
};

void ExpectMultipliers(const std::vector<int64_t>& sizes, Options options, Expected expected,
                       c10::ScalarType dtype = c10::ScalarType::Float) {
  const MultiplierCase output{sizes, dtype};
  options.revision = Revision::kA;
  EXPECT_EQ(Multiplier(output, options, options.tolerance), expected.a) << "revision A";
  options.revision = Revision::kB;
  EXPECT_EQ(Multiplier(output, options, options.tolerance), expected.b) << "revision B";
}

TEST(MultiplierTest, ForcedIs10InBAndDoesNotExistInA) {
  ExpectMultipliers({100'000}, {.force_max_multiplier = true}, {2, 10});
  ExpectMultipliers({5}, {.force_max_multiplier = true}, {3, 10});
}

TEST(MultiplierTest, UpTo10ElementsGet10WithTheOptionInAFromTolerance004On) {
  ExpectMultipliers({10}, {.tolerance = 0.04, .larger_multiplier_for_small = true}, {10, 10});
  ExpectMultipliers({10}, {.tolerance = 0.039, .larger_multiplier_for_small = true}, {3, 10});
  ExpectMultipliers({10}, {.tolerance = 0.04}, {3, 3});
  ExpectMultipliers({}, {.tolerance = 0.04, .larger_multiplier_for_small = true}, {10, 10});
}

TEST(MultiplierTest, UpTo500ElementsGet5InAFromTolerance004OnAnd8InB) {
  ExpectMultipliers({11}, {.tolerance = 0.04, .larger_multiplier_for_small = true}, {5, 8});
  ExpectMultipliers({500}, {.tolerance = 0.04, .larger_multiplier_for_small = true}, {5, 8});
  ExpectMultipliers({500}, {.tolerance = 0.039, .larger_multiplier_for_small = true}, {3, 8});
  ExpectMultipliers({501}, {.tolerance = 0.04, .larger_multiplier_for_small = true}, {3, 3});
  ExpectMultipliers({500}, {.tolerance = 0.04}, {3, 3});
}

TEST(MultiplierTest, FewerThan1000ElementsGet3) {
  ExpectMultipliers({999}, {}, {3, 3});
  ExpectMultipliers({1000}, {}, {2, 2});
}

TEST(MultiplierTest, FourDimensionsWithTheLastTwoOfSize1Get3) {
  ExpectMultipliers({50, 50, 1, 1}, {}, {3, 3});
  ExpectMultipliers({50, 50, 1, 2}, {}, {2, 2});
  ExpectMultipliers({50, 50, 2, 1}, {}, {2, 2});
  ExpectMultipliers({2500, 1, 1}, {}, {2, 2});
}

TEST(MultiplierTest, Tolerances002AndMoreGet3) {
  ExpectMultipliers({5000}, {.tolerance = 0.02}, {3, 3});
  ExpectMultipliers({5000}, {.tolerance = 0.019}, {2, 2});
}

TEST(MultiplierTest, Bfloat16Gets3AndFloat16InBOnly) {
  ExpectMultipliers({5000}, {}, {3, 3}, c10::ScalarType::BFloat16);
  ExpectMultipliers({5000}, {}, {2, 3}, c10::ScalarType::Half);
}

TEST(MultiplierTest, EverythingElseGets2) {
  ExpectMultipliers({5000}, {}, {2, 2});
  ExpectMultipliers({5000}, {}, {2, 2}, c10::ScalarType::Double);
}

}  // namespace
}  // namespace culprit::compare
