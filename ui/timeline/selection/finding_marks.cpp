// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/selection/finding_marks.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace rankscope::ui {

FindingMarks marksOf(std::shared_ptr<const AnalysedRun> run, std::uint32_t finding, RunStepPosition step) {
    if (run == nullptr || finding >= run->diagnosis.findings.size() || step >= run->facts.steps.size()) {
        return {};
    }
    FindingMarks marks{std::move(run), finding, step, {}};
    const RunFacts& facts = marks.of->facts;
    marks.places = placesOf(facts, marks.of->diagnosis.findings[finding], facts.steps[step]);
    std::ranges::stable_sort(marks.places, {}, [](const FindingPlace& place) {
        return std::tuple(place.rank, place.slice.valid(), place.span.start_ns);
    });
    return marks;
}

RankPosition firstRankOf(const FindingMarks& marks) {
    if (marks.of == nullptr) {
        return RankPosition(0);
    }
    const std::vector<Evidence>& evidence = marks.of->diagnosis.findings[marks.finding].evidence;
    return !evidence.empty()       ? evidence.front().rank
           : !marks.places.empty() ? marks.places.front().rank
                                   : RankPosition(0);
}

}  // namespace rankscope::ui
