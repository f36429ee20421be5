// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/accuracy/awaited.h"

#include <algorithm>
#include <array>
#include <utility>

namespace rankscope::accuracy {
namespace {

using Entry = std::pair<std::string_view, Awaited>;

// As the table of docs/accuracy.md has them. A figure here may only become smaller.
constexpr std::array kAwaited = {
    Entry{"few-workers", {.wrong_ranks = 1, .wrong_window = 4}},
    Entry{"storage-stalls", {.wrong_window = 3}},
    Entry{"no-workers", {.wrong_window = 2}},
    Entry{"slow-workers-of-one", {.wrong_window = 2}},
    Entry{"few-cores", {.missed = 1, .wrong_ranks = 1, .wrong_price = 2, .wrong_window = 2}},
    Entry{"container-quota", {.missed = 1, .wrong_ranks = 1, .wrong_price = 1, .wrong_window = 1}},
    Entry{"collections", {.wrong_price = 1, .wrong_window = 2}},
    Entry{"checkpoints", {.wrong_window = 1}},
    Entry{"evaluations", {.wrong_window = 1}},
    Entry{"slow-host", {.wrong_window = 1}},
    Entry{"slow-network", {.wrong_price = 1, .wrong_window = 1}},
    Entry{"no-overlap", {.wrong_window = 5}},
    Entry{"one-bucket", {.wrong_window = 4}},
    Entry{"tiny-kernels", {.wrong_window = 1}},
    Entry{"device-shared", {.wrong_price = 1, .wrong_window = 1}},
    Entry{"items", {.wrong_price = 1}},
    Entry{"few-micro-batches", {.wrong_window = 4}},
    Entry{"slow-replica", {.wrong_price = 1, .wrong_window = 1}},
    Entry{"large-units", {.wrong_window = 3}},
};

}  // namespace

Awaited awaitedOf(std::string_view fault) {
    const auto* const found = std::ranges::find(kAwaited, fault, &Entry::first);
    return found == kAwaited.end() ? Awaited() : found->second;
}

std::vector<std::string_view> awaitedFaults() {
    std::vector<std::string_view> faults;
    for (const Entry& entry : kAwaited) {
        faults.push_back(entry.first);
    }
    return faults;
}

}  // namespace rankscope::accuracy
