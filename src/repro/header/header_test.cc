// SPDX-License-Identifier: Apache-2.0
#include "repro/header/header.h"

#include <gtest/gtest.h>

namespace culprit::repro {
namespace {

std::string ErrorOf(std::string_view text) {
  const auto parsed = HeaderFromJson(text);
  return parsed.ok() ? "no error" : parsed.error().message;
}

TEST(HeaderToJson, LeavesOutWhatIsAtItsDefault) {
  EXPECT_EQ(HeaderToJson({}), "{\n  \"format\": 1,\n  \"backend\": \"eager\"\n}\n");
}

TEST(HeaderToJson, EveryFieldReadsBackAndIsWrittenTheSame) {
  Header header{.backend = "torchscript:stage=ofi",
                .accuracy = Accuracy::kStrict,
                .only_forward = true,
                .calls = 3,
                .expected = "{\"kind\":\"crash\"}",
                .settings = {{"repro_level", "4"}},
                .random = {"x", "c0"},
                .written_by = WrittenBy{"0.1.0", "2.13.0", "MKL", "AVX2"}};
  header.run = {.grad = false,
                .inference = true,
                .autocast = Autocast{at::kCPU, at::kBFloat16},
                .default_dtype = at::kDouble,
                .deterministic = true,
                .deterministic_warn_only = true,
                .threads = 2,
                .interop_threads = 1,
                .seed = UINT64_MAX,
                .generator_state = std::string(5056, '\xa5')};
  header.compare = {.tolerance = 1e-3,
                    .equal_nan = true,
                    .exact_dtype = false,
                    .ignore_non_float = true,
                    .cosine_similarity = true,
                    .larger_multiplier_for_small = true,
                    .force_max_multiplier = true,
                    .iou_for_bool = true,
                    .iou_threshold = 0.5,
                    .revision = compare::Revision::kA,
                    .compare_requires_grad = false,
                    .compare_aliasing = false,
                    .compare_strides = true};
  const std::string text = HeaderToJson(header);
  const auto parsed = HeaderFromJson(text);
  ASSERT_TRUE(parsed.ok()) << parsed.error().message;
  EXPECT_TRUE(parsed->warnings.empty());
  EXPECT_EQ(parsed->header.run, header.run);
  EXPECT_EQ(parsed->header.written_by, header.written_by);
  EXPECT_EQ(HeaderToJson(parsed->header), text);
}

TEST(HeaderFromJson, WhatALaterVersionWroteIsAWarning) {
  const auto parsed = HeaderFromJson(R"({"format": 2, "color": 1, "run": {"speed": 3}})");
  EXPECT_EQ(parsed->warnings,
            (std::vector<std::string>{"the header has format 2, newer than the known format 1",
                                      "the header's 'color' is not known and is ignored",
                                      "the header's 'run.speed' is not known and is ignored"}));
}

TEST(HeaderFromJson, AnUnknownSettingIsAWarning) {
  const auto parsed = HeaderFromJson(R"({"settings": {"timout": "3", "timeout": "4"}})");
  EXPECT_THAT(parsed->warnings,
              testing::ElementsAre("the header's 'settings.timout' is not known and is ignored"));
  EXPECT_EQ(parsed->header.settings, (std::map<std::string, std::string>{{"timeout", "4"}}));
}

TEST(HeaderFromJson, WrongSettingsAreNamed) {
  const auto error_of = [](const std::string& settings) {
    return HeaderFromJson("{\"settings\": {" + settings + "}}").error().message;
  };
  EXPECT_EQ(error_of(R"("timeout": "0")"),
            "the header's 'settings.timeout' must be a whole number from 1 to 1000000, not '0'");
  EXPECT_EQ(error_of(R"("memory_limit": "8 GiB")"),
            "the header's 'settings.memory_limit' must be a whole number from 1 to 1073741824, not '8 GiB'");
  EXPECT_EQ(error_of(R"("repeats": "-3")"),
            "the header's 'settings.repeats' must be a whole number from 1 to 200, not '-3'");
  EXPECT_EQ(error_of(R"("freeze": "all")"), "the header's 'settings.freeze' must be none, not 'all'");
  EXPECT_EQ(error_of(R"("repro_level": "9")"),
            "the header's 'settings.repro_level' must be a whole number from 0 to 4, not '9'");
  EXPECT_EQ(error_of(R"("repro_fp64": 1)"), "the header's 'settings.repro_fp64' must be a string");
}

TEST(HeaderFromJson, WrongValuesAreNamed) {
  EXPECT_EQ(ErrorOf("{"), "the header is not valid JSON");
  EXPECT_EQ(ErrorOf("[]"), "the header is not a JSON object");
  EXPECT_EQ(ErrorOf(R"({"backend": 1})"), "the header's 'backend' must be a string");
  EXPECT_EQ(ErrorOf(R"({"run": {"threads": -1}})"), "the header's 'run.threads' cannot be -1");
  EXPECT_EQ(ErrorOf(R"({"run": {"threads": 1000000}})"), "the header's 'run.threads' cannot be 1000000");
  EXPECT_EQ(ErrorOf(R"({"run": {"default_dtype": "torch.int32"}})"),
            "the header's 'run.default_dtype' cannot be \"torch.int32\"");
  EXPECT_EQ(ErrorOf(R"({"run": {"generator_state": "00ff"}})"),
            "the header's 'run.generator_state' must be 10112 hexadecimal digits");
  EXPECT_EQ(ErrorOf(R"({"calls": 0})"), "the header's 'calls' must be an integer from 1 to 1000");
  EXPECT_EQ(ErrorOf(R"({"compare": {"tolerance": -1}})"), "the header's 'compare.tolerance' cannot be -1");
  EXPECT_EQ(ErrorOf(R"({"compare": {"revision": 7}})"),
            "the header's 'compare.revision' must be \"A\", \"B\" or \"C\"");
  EXPECT_EQ(ErrorOf(R"({"run": {"autocast": {"cpu": 3}}})"),
            "the header's 'run.autocast' must be a device and a dtype, as in {\"cpu\": \"torch.bfloat16\"}");
  EXPECT_EQ(ErrorOf(R"({"accuracy": "high"})"),
            "the header's 'accuracy' must be \"off\", \"on\" or \"strict\"");
  EXPECT_EQ(ErrorOf(std::string(100, '[') + std::string(100, ']')), "the header is nested more than 32 deep");
}

}  // namespace
}  // namespace culprit::repro
