// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <condition_variable>
#include <deque>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace rankscope::cli {

/// A message as JSON. Fails if it is broken, longer than 1 MB, or nested deeply.
[[nodiscard]] Result<nlohmann::json> parsedMessage(std::string_view line);

/// Messages that wait to be answered. One thread puts them in while another answers them, so a cancellation arrives
/// during the call that it cancels.
class Mailbox {
  public:
    /// Queues a message. A cancellation stops its call instead, now or when its turn comes.
    void put(std::string line);
    /// No more messages come.
    void end();
    /// The next message; nothing once end() was called and all are taken. Waits.
    [[nodiscard]] std::optional<std::string> next();
    /// Sets the call that is being answered. A stop is requested when it is cancelled.
    [[nodiscard]] std::stop_token answering(const nlohmann::json& id);

  private:
    /// Whether a line cancels a call. Stops that call if it is being answered.
    bool cancels(const std::string& line);

    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<std::string> lines_;
    bool ended_ = false;
    nlohmann::json id_;  // of the call that is being answered
    std::stop_source stop_;
    std::vector<nlohmann::json> cancelled_;  // calls that wait for their turn
};

}  // namespace rankscope::cli
