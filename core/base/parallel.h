// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <optional>
#include <thread>
#include <vector>

namespace rankscope {

/// How many threads to use where `wanted` were asked for; 0 asks for one a core.
[[nodiscard]] inline unsigned threadCount(unsigned wanted) {
    return wanted != 0 ? wanted : std::max(1U, std::thread::hardware_concurrency());
}

/// Shares the indices below `count` among up to `threads` threads, this one included: each runs `worker(next)` once,
/// where `next()` gives the index to do now, and nothing when all are taken. Returns when all workers have.
template <class Worker>
void shareIndices(std::size_t count, std::size_t threads, const Worker& worker) {
    std::atomic<std::size_t> taken{0};
    const auto next = [&]() -> std::optional<std::size_t> {
        const std::size_t index = taken++;
        return index < count ? std::optional(index) : std::nullopt;
    };
    std::vector<std::jthread> helpers;
    for (std::size_t i = 1; i < std::min(threads, count); ++i) {
        helpers.emplace_back([&] { worker(next); });
    }
    worker(next);
}

/// Runs `job(i)` for each i below `count` on up to `threads` threads.
template <class Job>
void forEachIndex(std::size_t count, std::size_t threads, const Job& job) {
    shareIndices(count, threads, [&](const auto& next) {
        while (const std::optional<std::size_t> index = next()) {
            job(*index);
        }
    });
}

}  // namespace rankscope
