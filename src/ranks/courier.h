// SPDX-License-Identifier: Apache-2.0
//
// The connection to the store where ranks meet, with a thread of its own that asks the store. libtorch waits
// for answers as long as they take; so the caller waits for the thread, and leaves when its time is over.
#pragma once

#include <chrono>
#include <functional>
#include <future>
#include <memory>
#include <stdexcept>
#include <torch/csrc/distributed/c10d/Store.hpp>

namespace culprit::ranks {

/// The store has said nothing, not even that it is gone.
class NoAnswer : public std::runtime_error {
 public:
  NoAnswer() : std::runtime_error("the store does not answer") {}
};

class Courier {
 public:
  using Clock = std::chrono::steady_clock;
  using Connect = std::function<c10::intrusive_ptr<c10d::Store>()>;

  /// Connects when it is asked for the first time.
  explicit Courier(Connect connect);
  /// A thread that still waits for an answer after a second is left behind, and ends when that comes.
  ~Courier();
  Courier(const Courier&) = delete;
  Courier& operator=(const Courier&) = delete;

  /// Throws what libtorch throws, or NoAnswer at the deadline. The question may be asked later even then, so
  /// it owns what it uses.
  template <typename Answer>
  Answer Ask(std::function<Answer(c10d::Store&)> question, Clock::time_point deadline) {
    auto task = std::make_shared<std::packaged_task<Answer(Connection&)>>(
        [question = std::move(question)](Connection& connection) { return question(connection.store()); });
    std::future<Answer> answer = task->get_future();
    Post([task](Connection& connection) { (*task)(connection); });
    if (answer.wait_until(deadline) != std::future_status::ready) throw NoAnswer();
    return answer.get();
  }

 private:
  class Connection {
   public:
    explicit Connection(Connect connect) : connect_(std::move(connect)) {}
    c10d::Store& store() {
      if (!store_) store_ = connect_();
      return *store_;
    }

   private:
    Connect connect_;
    c10::intrusive_ptr<c10d::Store> store_;
  };
  using Task = std::function<void(Connection&)>;
  struct Tasks;

  static void Work(const std::shared_ptr<Tasks>& tasks, Connection connection);
  void Post(Task task);

  /// The thread's as well, which may live longer.
  std::shared_ptr<Tasks> tasks_;
};

}  // namespace culprit::ranks
