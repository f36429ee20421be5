// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace rankscope::bench {

/// Writes one rank's trace event by event, as short as Kineto's dialect allows. Times are whole microseconds.
class ShapeText {
  public:
    ShapeText(int rank, int world_size);

    /// An operator or annotation of a host thread.
    void host(std::string_view category, std::string_view name, std::int64_t start_us, std::int64_t length_us,
              int thread = 1);
    /// A kernel, and the call that launched it just before.
    void kernel(std::string_view name, std::int64_t launch_us, std::int64_t start_us, std::int64_t length_us,
                int stream = 7, std::string_view more_args = "");
    void step(std::int64_t number, std::int64_t start_us, std::int64_t length_us);
    /// The whole text; the last call.
    [[nodiscard]] std::string take();

  private:
    void event(std::string_view category, std::string_view name, int process, int thread, std::int64_t start_us,
               std::int64_t length_us, std::string_view args);

    std::string text_;
    std::int64_t correlation_ = 0;
};

}  // namespace rankscope::bench
