// SPDX-License-Identifier: Apache-2.0
#include "watch/debug/debug_backend.h"

#include "watch/session/not_watched.h"

namespace culprit::watch {
namespace {

class DebugBackend : public backend::Backend {
 public:
  DebugBackend(std::unique_ptr<backend::Backend> inner, Point point, std::shared_ptr<DebugFolders> folders)
      : inner_(std::move(inner)), point_(point), folders_(std::move(folders)) {}

  backend::Parameters parameters() const override { return inner_->parameters(); }
  bool gives_gradients() const override { return inner_->gives_gradients(); }
  bool takes_symbols() const override { return inner_->takes_symbols(); }
  bool draws_as_eager() const override { return inner_->draws_as_eager(); }
  std::unique_ptr<backend::Backend> EagerElsewhere() const override { return inner_->EagerElsewhere(); }
  int calls() const override { return inner_->calls(); }

  std::unique_ptr<backend::Compiled> Compile(graph::Graph graph, const backend::Values& inputs) override {
    std::optional<DebugFolders::Whole> whole;
    std::optional<DebugFolders::Handed> handed;
    if (point_ == Point::kAot) handed.emplace(*folders_, graph, inputs);
    // A check of the watcher compiles the whole a second time. Below, what comes first counts: that may be a
    // backward graph of the program itself which a check has wanted.
    if (point_ == Point::kCapture && !IsNotWatched()) whole.emplace(*folders_, graph.name());
    return inner_->Compile(std::move(graph), inputs);
  }

 private:
  const std::unique_ptr<backend::Backend> inner_;
  const Point point_;
  const std::shared_ptr<DebugFolders> folders_;
};

}  // namespace

std::unique_ptr<backend::Backend> WithDebugFolders(std::unique_ptr<backend::Backend> compiler, Point point,
                                                   std::shared_ptr<DebugFolders> folders) {
  return std::make_unique<DebugBackend>(std::move(compiler), point, std::move(folders));
}

}  // namespace culprit::watch
