// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <mutex>

namespace rankscope::tables {

/// A value that is created at the first request, by any thread, and kept.
template <class T>
class Once {
  public:
    /// Calls `make`, which returns a unique_ptr<T>, the first time.
    template <class Make>
    [[nodiscard]] const T& get(const Make& make) const {
        const std::scoped_lock lock(mutex_);
        if (made_ == nullptr) {
            made_ = make();
        }
        return *made_;
    }

  private:
    mutable std::mutex mutex_;
    mutable std::unique_ptr<T> made_;
};

}  // namespace rankscope::tables
