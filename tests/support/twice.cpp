// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/twice.h"

#include <algorithm>
#include <charconv>
#include <string>
#include <string_view>
#include <vector>

#include "core/ingest/assembly/assemble.h"

namespace rankscope::test {
namespace {

constexpr std::string_view kMark = "ProfilerStep#";

void move(TimeSpan& span, DurationNs by_ns) {
    span.start_ns += by_ns;
    span.end_ns += by_ns;
}

/// By id of a text: the id of the same mark with a higher number; the same id for all other texts.
std::vector<StringId> laterMarks(RankTrace& trace, std::int64_t steps) {
    std::vector<StringId> ids;
    const auto count = static_cast<std::uint32_t>(trace.strings.size());
    for (std::uint32_t i = 0; i < count; ++i) {
        const std::string text(trace.strings.view(StringId(i)));
        std::int64_t number = 0;
        const bool is_mark =
            text.starts_with(kMark) &&
            std::from_chars(text.data() + kMark.size(), text.data() + text.size(), number).ec == std::errc();
        ids.push_back(is_mark ? trace.strings.intern(std::string(kMark) + std::to_string(number + steps))
                              : StringId(i));
    }
    return ids;
}

/// joinWindows() copies what it joins, and only reads it.
std::shared_ptr<RankTrace> copyOf(const std::vector<std::shared_ptr<const RankTrace>>& windows) {
    std::vector<std::shared_ptr<RankTrace>> parts;
    for (const auto& window : windows) {
        parts.push_back(std::const_pointer_cast<RankTrace>(window));
    }
    return joinWindows(parts);
}

}  // namespace

std::shared_ptr<RankTrace> recordedLater(const std::shared_ptr<const RankTrace>& trace, DurationNs later_ns,
                                         std::int64_t steps) {
    std::shared_ptr<RankTrace> later = copyOf({trace});
    const std::vector<StringId> names = laterMarks(*later, steps);
    for (Track& track : later->tracks) {
        for (SliceIndex i = 0; i < track.slices.size(); ++i) {
            track.slices.start_ns[i] += later_ns;
            track.slices.end_ns[i] += later_ns;
            StringId& name = track.slices.name[i];
            name = name.valid() ? names[name.value] : name;
        }
    }
    for (TimeNs& at_ns : later->memory.at_ns) {
        at_ns += later_ns;
    }
    for (TimeNs& at_ns : later->sensors.at_ns) {
        at_ns += later_ns;
    }
    move(later->window, later_ns);
    for (TraceFile& file : later->files) {
        move(file.window, later_ns);
    }
    return later;
}

std::shared_ptr<const RankTrace> joined(const std::vector<std::shared_ptr<const RankTrace>>& windows) {
    return copyOf(windows);
}

std::shared_ptr<const Run> recordedTwice(const Run& run, DurationNs hole_ns) {
    constexpr std::int64_t kMoreSteps = 1000;
    const auto start = std::ranges::min(run.ranks, {}, [](const auto& rank) { return rank->window.start_ns; });
    const auto end = std::ranges::max(run.ranks, {}, [](const auto& rank) { return rank->window.end_ns; });
    const DurationNs later_ns = end->window.end_ns - start->window.start_ns + hole_ns;
    auto twice = std::make_shared<Run>(run);
    for (auto& rank : twice->ranks) {
        rank = joined({rank, recordedLater(rank, later_ns, kMoreSteps)});
    }
    return twice;
}

}  // namespace rankscope::test
