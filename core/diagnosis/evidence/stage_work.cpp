// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/diagnosis/evidence/stage_work.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/statistics.h"

namespace rankscope {
namespace {

/// The pieces of work of one rank with one name.
struct PiecesOfName {
    std::size_t count = 0;
    DurationNs median_ns = 0;
};
struct WorkByName {
    std::map<std::string_view, PiecesOfName> names;
    DurationNs total_ns = 0;
};

/// Calls `with` for each piece of compute work that starts in `span`.
template <class With>
void forEachPiece(const RankContext& work, const TimeSpan& span, const With& with) {
    const std::vector<DeviceEvent>& events = work.device.events;
    auto event =
        std::ranges::lower_bound(events, span.start_ns, {}, [](const DeviceEvent& one) { return one.span.start_ns; });
    for (; event != events.end() && event->span.start_ns < span.end_ns; ++event) {
        if (event->work == WorkClass::Compute) {
            with(*event);
        }
    }
}

void addPieces(const RankContext& work, const TimeSpan& span, std::map<std::string_view, std::vector<DurationNs>>& all,
               DurationNs& total_ns) {
    forEachPiece(work, span, [&](const DeviceEvent& event) {
        const StringId name = work.trace->track(event.ref).slices.name[event.ref.slice];
        all[name.valid() ? work.trace->strings.view(name) : std::string_view()].push_back(event.span.length());
        total_ns += event.span.length();
    });
}

WorkByName workOf(const RuleContext& context, const Pipeline& pipeline, std::size_t place) {
    std::map<std::string_view, std::vector<DurationNs>> all;
    WorkByName own;
    for (const std::size_t step : pipeline.counted) {
        for (const PipelinePass& pass : pipeline.steps[step].ranks[place].passes) {
            addPieces(context.work[pipeline.ranks[place]], pass.span, all, own.total_ns);
        }
    }
    for (auto& [name, lengths] : all) {
        const std::size_t count = lengths.size();
        own.names.emplace(name, PiecesOfName{count, lowerMedian(std::move(lengths))});
    }
    return own;
}

double over(double own, double others) {
    return others > 0 ? own / others - 1 : 0;
}

/// How much longer the names that both have take, weighted by their number in `own`.
double slowerBy(const WorkByName& own, const std::vector<WorkByName>& others) {
    double own_ns = 0;
    double others_ns = 0;
    for (const auto& [name, pieces] : own.names) {
        std::vector<DurationNs> lengths;
        for (const WorkByName& other : others) {
            if (const auto at = other.names.find(name); at != other.names.end()) {
                lengths.push_back(at->second.median_ns);
            }
        }
        if (!lengths.empty()) {
            const auto count = static_cast<double>(pieces.count);
            own_ns += count * static_cast<double>(pieces.median_ns);
            others_ns += count * static_cast<double>(lowerMedian(std::move(lengths)));
        }
    }
    return over(own_ns, others_ns);
}

}  // namespace

bool StageWork::hasMore() const {
    constexpr double kMore = 0.02;
    return more > kMore && more >= slower;
}

StageWork compareStageWork(const RuleContext& context, const Pipeline& pipeline, std::size_t place) {
    const WorkByName own = workOf(context, pipeline, place);
    std::vector<WorkByName> others;
    std::vector<DurationNs> totals;
    for (std::size_t other = 0; other < pipeline.ranks.size(); ++other) {
        if (other != place) {
            others.push_back(workOf(context, pipeline, other));
            totals.push_back(others.back().total_ns);
        }
    }
    StageWork work;
    work.slower = slowerBy(own, others);
    const double as_fast = static_cast<double>(own.total_ns) / (1 + work.slower);
    work.more = over(as_fast, static_cast<double>(lowerMedian(std::move(totals))));
    return work;
}

std::vector<DurationNs> computationInPasses(const RuleContext& context, const Pipeline& pipeline) {
    std::vector<DurationNs> computation(pipeline.ranks.size(), 0);
    for (std::size_t place = 0; place < computation.size(); ++place) {
        for (const std::size_t step : pipeline.counted) {
            for (const PipelinePass& pass : pipeline.steps[step].ranks[place].passes) {
                forEachPiece(context.work[pipeline.ranks[place]], pass.span,
                             [&](const DeviceEvent& event) { computation[place] += event.span.length(); });
            }
        }
        computation[place] /= std::max<DurationNs>(1, static_cast<DurationNs>(pipeline.counted.size()));
    }
    return computation;
}

}  // namespace rankscope
