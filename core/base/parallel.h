// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <optional>
#include <system_error>
#include <thread>
#include <vector>

namespace rankscope {

/// The number of threads to use if `wanted` were requested; 0 requests one per core.
[[nodiscard]] inline unsigned threadCount(unsigned wanted) {
    return wanted != 0 ? wanted : std::max(1U, std::thread::hardware_concurrency());
}

/// Divides the indices below `count` among up to `threads` threads, including this one: each runs `worker(next)` once,
/// where `next()` returns the next index, or nothing when all are taken. Returns when all workers have. If a worker
/// throws, the others get no more indices, and the first exception is rethrown here. If the system provides fewer
/// threads, or none, the existing ones do all the work.
template <class Worker>
void shareIndices(std::size_t count, std::size_t threads, const Worker& worker) {
    std::atomic<std::size_t> taken{0};
    std::atomic<bool> failed{false};
    std::exception_ptr thrown;
    const auto next = [&]() -> std::optional<std::size_t> {
        const std::size_t index = failed ? count : taken++;
        return index < count ? std::optional(index) : std::nullopt;
    };
    const auto run = [&] {
        try {
            worker(next);
        } catch (...) {
            if (!failed.exchange(true)) {
                thrown = std::current_exception();  // read when all threads have ended
            }
        }
    };
    {
        std::vector<std::jthread> helpers;
        const std::size_t wanted = std::min(threads, count);
        helpers.reserve(wanted);
        try {
            while (helpers.size() + 1 < wanted) {
                helpers.emplace_back(run);
            }
        } catch (const std::system_error&) {  // no more threads: fewer do the work
        }
        run();
    }
    if (thrown) {
        std::rethrow_exception(thrown);
    }
}

/// Runs `job(i)` for each i below `count` on up to `threads` threads. Throws the first exception of a job when all
/// threads have ended; jobs that have not begun by then are skipped.
template <class Job>
void forEachIndex(std::size_t count, std::size_t threads, const Job& job) {
    shareIndices(count, threads, [&](const auto& next) {
        while (const std::optional<std::size_t> index = next()) {
            job(*index);
        }
    });
}

}  // namespace rankscope
