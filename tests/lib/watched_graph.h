// SPDX-License-Identifier: Apache-2.0
//
// A graph that an odd compiler has compiled while somebody watches.
#pragma once

#include <ATen/ops/arange.h>
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "graph/run/interpreter.h"
#include "repro/read_repro.h"
#include "tests/lib/short_graph.h"
#include "tests/lib/temporary_folder.h"
#include "watch/watched_backend.h"

namespace culprit::tests {

/// What a compiler and what it compiles do, as functions.
struct Behaviour {
  std::function<void(graph::Graph&, const backend::Values& inputs)> compile = [](graph::Graph&,
                                                                                 const backend::Values&) {};
  std::function<void()> before = [] {};
  std::function<void(backend::Values& inputs, backend::Values& outputs)> call = [](backend::Values&,
                                                                                   backend::Values&) {};
  bool draws_as_eager = true;
  int compilations = 0;
  int calls = 0;
  /// While what was compiled runs.
  bool is_called = false;
};

class OddCompiled : public backend::Compiled {
 public:
  OddCompiled(const graph::Graph& graph, Behaviour& behaviour) : graph_(graph), behaviour_(behaviour) {}
  backend::Values Call(backend::Values& inputs) override {
    ++behaviour_.calls;
    behaviour_.before();
    behaviour_.is_called = true;
    backend::Values outputs = graph_.Run(inputs);
    behaviour_.is_called = false;
    behaviour_.call(inputs, outputs);
    return outputs;
  }

 private:
  const graph::Interpreter graph_;
  Behaviour& behaviour_;
};

class OddBackend : public backend::Backend {
 public:
  explicit OddBackend(Behaviour& behaviour) : behaviour_(behaviour) {}
  bool draws_as_eager() const override { return behaviour_.draws_as_eager; }
  std::unique_ptr<backend::Compiled> Compile(graph::Graph graph, const backend::Values& inputs) override {
    ++behaviour_.compilations;
    behaviour_.compile(graph, inputs);
    return std::make_unique<OddCompiled>(graph, behaviour_);
  }

 private:
  Behaviour& behaviour_;
};

inline at::Tensor Numbers() {
  return at::arange(6, at::kFloat).reshape({2, 3});
}

inline repro::ReadRepro OpenedRepro(const std::string& path) {
  return *repro::OpenRepro(path, ReadWholeFile(path));
}

/// By default after aot, at level 2.
class WatchedGraphTest : public testing::Test {
 protected:
  WatchedGraphTest() : graph_(ShortGraph("x\nsin = sin.default(x)\nreturn (sin,)\n")) {
    graph_.set_name("net_0_inference");
    settings_.repro_after = "aot";
    settings_.directory = runs_.path();
    header_.accuracy = repro::Accuracy::kStrict;
  }

  void MakeSession() {
    session_ = std::make_shared<watch::WatchSession>(
        settings_, header_, [this](const std::string& text) { warnings_.push_back(text); });
  }

  std::unique_ptr<backend::Compiled> Compile(watch::Point point = watch::Point::kAot) {
    MakeSession();
    return watch::Watch(std::make_unique<OddBackend>(odd_), point, session_)->Compile(graph_, inputs_);
  }

  backend::Values Call(backend::Compiled& compiled) {
    backend::Values inputs = inputs_;
    return compiled.Call(inputs);
  }

  /// Of the run folders that are there.
  std::vector<repro::ReadRepro> Repros() const {
    std::vector<repro::ReadRepro> repros;
    for (const std::string& name : NamesIn(runs_.path())) {
      if (name != "latest") repros.push_back(OpenedRepro(runs_.path() + "/" + name + "/repro.py"));
    }
    return repros;
  }

  void ExpectRight(const backend::Values& outputs) {
    ASSERT_EQ(outputs.size(), 1U);
    EXPECT_TRUE(outputs[0].toTensor().equal(Numbers().sin()));
  }

  TemporaryFolder runs_;
  base::Settings settings_;
  repro::Header header_;
  graph::Graph graph_;
  backend::Values inputs_{Numbers()};
  Behaviour odd_;
  std::shared_ptr<watch::WatchSession> session_;
  std::vector<std::string> warnings_;
};

}  // namespace culprit::tests
