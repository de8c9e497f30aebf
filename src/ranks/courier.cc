// SPDX-License-Identifier: Apache-2.0
#include "ranks/courier.h"

#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

namespace culprit::ranks {

struct Courier::Tasks {
  std::mutex mutex;
  std::condition_variable changed;
  std::deque<Task> waiting;
  bool is_over = false;
  bool has_ended = false;
};

Courier::Courier(Connect connect) : tasks_(std::make_shared<Tasks>()) {
  std::thread(&Courier::Work, tasks_, Connection(std::move(connect))).detach();
}

Courier::~Courier() {
  std::unique_lock lock(tasks_->mutex);
  tasks_->waiting.clear();
  tasks_->is_over = true;
  tasks_->changed.notify_all();
  // Rank 0 closes its port with the connection. After a fork there is no thread to wait for.
  tasks_->changed.wait_for(lock, std::chrono::seconds(1), [this] { return tasks_->has_ended; });
}

void Courier::Post(Task task) {
  const std::lock_guard lock(tasks_->mutex);
  tasks_->waiting.push_back(std::move(task));
  tasks_->changed.notify_all();
}

void Courier::Work(const std::shared_ptr<Tasks>& tasks, Connection connection) {
  std::unique_lock lock(tasks->mutex);
  for (;;) {
    tasks->changed.wait(lock, [&] { return tasks->is_over || !tasks->waiting.empty(); });
    if (tasks->is_over) break;
    Task task = std::move(tasks->waiting.front());
    tasks->waiting.pop_front();
    lock.unlock();
    task(connection);
    task = nullptr;
    lock.lock();
  }
  lock.unlock();
  connection = Connection(nullptr);
  lock.lock();
  tasks->has_ended = true;
  tasks->changed.notify_all();
}

}  // namespace culprit::ranks
