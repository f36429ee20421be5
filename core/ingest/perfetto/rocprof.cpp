// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ingest/perfetto/rocprof.h"

#include <algorithm>
#include <array>
#include <utility>

namespace rankscope::perfetto {
namespace {

using Pair = std::pair<std::string_view, std::string_view>;

// Calls of HSA are inside of HIP's, and not launches of their own.
constexpr std::array<Pair, 5> kCategories = {{{"kernel_dispatch", "kernel"},
                                              {"memory_copy", "gpu_memcpy"},
                                              {"hip_api", "cuda_runtime"},
                                              {"rccl_api", "cpu_op"},
                                              {"marker_api", "user_annotation"}}};
constexpr std::array<Pair, 2> kArgs = {{{"corr_id", "correlation"}, {"copy_bytes", "bytes"}}};
constexpr std::string_view kDigits = "0123456789";

/// The number in brackets behind a word: "4" in "AGENT [4]" behind "AGENT".
std::string_view bracketed(std::string_view name, std::string_view word) {
    const std::size_t at = name.find(word);
    if (at == std::string_view::npos) {
        return {};
    }
    const std::size_t open = name.find('[', at);
    const std::size_t close = open == std::string_view::npos ? open : name.find(']', open);
    const std::string_view inside =
        close == std::string_view::npos ? std::string_view() : name.substr(open + 1, close - open - 1);
    return inside.find_first_not_of(kDigits) == std::string_view::npos ? inside : std::string_view();
}

std::string_view firstOf(std::string_view a, std::string_view b) {
    return a.empty() ? b : a;
}

}  // namespace

std::string_view rocprofCategory(std::string_view category) {
    const auto at = std::ranges::find(kCategories, category, &Pair::first);
    return at == kCategories.end() ? std::string_view() : at->second;
}

RocprofTrack rocprofTrack(std::string_view name) {
    RocprofTrack track;
    if (name.starts_with("THREAD ") && name.ends_with(')')) {
        const std::string_view number = name.substr(name.rfind('(') + 1);
        track.thread = number.substr(0, number.size() - 1);
        return track;
    }
    if (!name.starts_with("COMPUTE ") && !name.starts_with("COPY ")) {
        return track;
    }
    track.agent = bracketed(name, "[");
    track.lane = firstOf(firstOf(bracketed(name, "STREAM"), bracketed(name, "QUEUE")), bracketed(name, "THREAD"));
    track.is_of_cpu = name.find("CPU") != std::string_view::npos;
    return track;
}

std::string_view rocprofArg(std::string_view arg) {
    const auto at = std::ranges::find(kArgs, arg, &Pair::first);
    return at == kArgs.end() ? arg : at->second;
}

std::string_view rocprofAgent(std::string_view name) {
    while (!name.empty() && name.back() == '"') {
        name.remove_suffix(1);
    }
    const std::size_t before = name.find_last_not_of(kDigits);
    return before == std::string_view::npos ? name : name.substr(before + 1);
}

}  // namespace rankscope::perfetto
