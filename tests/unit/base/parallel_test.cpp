// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/parallel.h"
#include "tests/support/testing.h"

#include <atomic>
#include <new>

namespace rankscope {
namespace {

TEST(ForEachIndex, DoesEachIndexOnceWhateverTheThreads) {
    for (const std::size_t threads : {0U, 1U, 3U, 50U}) {
        for (const std::size_t count : {0U, 1U, 7U, 1000U}) {
            std::vector<std::atomic<int>> times(count);
            forEachIndex(count, threads, [&](std::size_t i) { ++times[i]; });
            for (const auto& done : times) {
                EXPECT_EQ(done, 1);
            }
        }
    }
}

TEST(ShareIndices, UsesNoMoreThreadsThanThereAreIndices) {
    std::atomic<int> workers{0};
    shareIndices(2, 16, [&](const auto& next) {
        ++workers;
        while (next()) {}
    });
    EXPECT_LE(workers, 2);
    EXPECT_GE(workers, 1);
}

TEST(ForEachIndex, ThrowsWhatAJobThrowsWhenAllThreadsHaveEnded) {
    for (const std::size_t threads : {1U, 2U, 8U}) {
        std::atomic<int> running{0};
        const auto job = [&](std::size_t i) {
            ++running;
            --running;
            if (i == 5) {
                throw std::bad_alloc();
            }
        };
        EXPECT_THROW(forEachIndex(1000, threads, job), std::bad_alloc);
        EXPECT_EQ(running, 0);
    }
}

}  // namespace
}  // namespace rankscope
