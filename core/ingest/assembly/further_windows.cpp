// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ingest/assembly/further_windows.h"

#include <algorithm>
#include <filesystem>
#include <optional>

#include "core/ingest/bounds.h"
#include "core/ingest/kineto/decimal_time.h"
#include "core/ingest/kineto/identity.h"

namespace rankscope {
namespace {

/// The host of a trace; if it is unknown, the name of the worker that wrote its file. Empty if neither is known.
std::string writerOf(const RankTrace& trace) {
    if (!trace.host.empty()) {
        return trace.host;
    }
    const TraceFile& file = trace.files.front();
    const std::filesystem::path path(file.member.empty() ? file.path : file.member);
    return workerByName(path.filename().string().substr(0, kNameLookedAt));
}

}  // namespace

std::set<std::int64_t> stepNumbers(const RankTrace& trace) {
    constexpr std::string_view kMark = "ProfilerStep#";
    std::set<std::int64_t> numbers;
    for (std::uint32_t id = 0; id < trace.strings.size(); ++id) {
        const std::string_view text = trace.strings.view(StringId(id));
        if (text.starts_with(kMark)) {
            if (const auto number = parseInteger(text.substr(kMark.size()))) {
                numbers.insert(*number);
            }
        }
    }
    return numbers;
}

bool repeatSteps(const std::set<std::int64_t>& a, const std::set<std::int64_t>& b) {
    return std::ranges::any_of(a, [&](std::int64_t number) { return b.contains(number); });
}

bool sameProcess(const RankTrace& a, const RankTrace& b) {
    const auto processes = [](const RankTrace& trace) {
        std::set<std::string_view> ids;
        for (const Track& track : trace.tracks) {
            if (track.kind == TrackKind::CpuThread) {
                ids.insert(trace.strings.view(track.process));
            }
        }
        return ids;
    };
    const std::set<std::string_view> of_a = processes(a);
    const std::set<std::string_view> of_b = processes(b);
    return std::ranges::any_of(of_a, [&](std::string_view id) { return of_b.contains(id); });
}

bool provenSameProcess(const RankTrace& a, const RankTrace& b) {
    const bool alike = !a.rank && !b.rank && a.host == b.host && a.devices == b.devices && sameProcess(a, b);
    const std::string writer = alike ? writerOf(a) : std::string();
    return !writer.empty() && writer == writerOf(b);
}

std::string_view whyNotAfter(const RankTrace& earlier, const RankTrace& later) {
    if (later.window.start_ns < earlier.window.end_ns) {
        return "at the same time";
    }
    return sameProcess(earlier, later) ? std::string_view() : "but from another process";
}

std::string whyNoFurtherWindow(const RankTrace& earlier, const RankTrace& later) {
    const std::string_view why = whyNotAfter(earlier, later);
    return std::string(why.empty() && repeatSteps(stepNumbers(earlier), stepNumbers(later)) ? kSameSteps : why);
}

}  // namespace rankscope
