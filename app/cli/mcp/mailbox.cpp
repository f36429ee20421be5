// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/mcp/mailbox.h"

#include <utility>

#include "core/base/bounded_json.h"

namespace rankscope::cli {
namespace {

constexpr std::size_t kLongestMessage = 1'000'000;  // bytes
constexpr std::size_t kMostCancelled = 1'000;

}  // namespace

using nlohmann::json;

Result<json> parsedMessage(std::string_view line) {
    return line.size() > kLongestMessage ? Result<json>(Error{{}, {}, "is longer than 1 MB"}) : parseBoundedJson(line);
}

void Mailbox::put(std::string line) {
    const std::scoped_lock lock(mutex_);
    if (!cancels(line)) {
        lines_.push_back(std::move(line));
        changed_.notify_one();
    }
}

void Mailbox::end() {
    const std::scoped_lock lock(mutex_);
    ended_ = true;
    changed_.notify_one();
}

std::optional<std::string> Mailbox::next() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return !lines_.empty() || ended_; });
    if (lines_.empty()) {
        return std::nullopt;
    }
    std::string line = std::move(lines_.front());
    lines_.pop_front();
    return line;
}

std::stop_token Mailbox::answering(const json& id) {
    const std::scoped_lock lock(mutex_);
    id_ = id;
    stop_ = std::stop_source();
    if (std::erase(cancelled_, id) > 0) {
        stop_.request_stop();
    }
    return stop_.get_token();
}

bool Mailbox::cancels(const std::string& line) {
    if (line.find("notifications/cancelled") == std::string::npos) {
        return false;
    }
    const Result<json> parsed = parsedMessage(line);
    if (!parsed.ok() || !parsed.value().is_object()) {
        return false;
    }
    const json& message = parsed.value();
    if (message.value("method", json()) != "notifications/cancelled") {
        return false;
    }
    const json params = message.value("params", json::object());
    const json id = params.is_object() ? params.value("requestId", json()) : json();
    if (id == id_) {
        stop_.request_stop();
    } else if (cancelled_.size() < kMostCancelled) {
        cancelled_.push_back(id);
    }
    return true;
}

}  // namespace rankscope::cli
