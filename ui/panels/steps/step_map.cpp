// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/steps/step_map.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace rankscope::ui {
namespace {

constexpr DurationNs kAlikeOf100 = 3;   // percent of the median step: same threshold as for similar ranks of the
                                        // timeline (rank_groups.h)
constexpr DurationNs kLeastOf100 = 10;  // percent of the median step: a smaller excess is not shown in red

/// The lower of the two middle values if there are two; 0 if there are none.
DurationNs middleOf(std::vector<DurationNs>& values) {
    if (values.empty()) {
        return 0;
    }
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) / 2);
    std::ranges::nth_element(values, middle);
    return *middle;
}

DurationNs middleOfAll(const StepTable& table, StepMapMeasure measure) {
    std::vector<DurationNs> values;
    for (const StepTableCell& cell : table.cells) {
        if (cell.known) {
            values.push_back(valueOf(cell, measure));
        }
    }
    return middleOf(values);
}

/// How far a rank is above the usual time: in its steps together, and at most in one step, for both measures.
struct Excess {
    DurationNs sum_ns = 0;
    DurationNs most_ns = 0;
};

}  // namespace

DurationNs valueOf(const StepTableCell& cell, StepMapMeasure measure) {
    switch (measure) {
        case StepMapMeasure::Compute: return cell.compute_ns;
        case StepMapMeasure::ExposedCommunication: return cell.exposed_comm_ns;
        case StepMapMeasure::Idle: return cell.idle_ns;
        case StepMapMeasure::Length: return cell.length_ns;
    }
    return 0;
}

std::optional<double> StepMapRows::heat(const StepTable& table, std::size_t rank, std::size_t step) const {
    const StepTableCell& cell = table.at(rank, step);
    if (!cell.known) {
        return std::nullopt;
    }
    const auto above = valueOf(cell, measure) - typical_ns[step];
    return std::clamp(static_cast<double>(above) / static_cast<double>(scale_ns), 0.0, 1.0);
}

StepMapRows rowsOf(const StepTable& table, StepMapMeasure measure) {
    StepMapRows rows;
    rows.measure = measure;
    rows.step_ns = middleOfAll(table, StepMapMeasure::Length);
    std::vector<DurationNs> values;
    for (std::size_t step = 0; step < table.steps.size(); ++step) {
        values.clear();
        for (std::size_t rank = 0; rank < table.ranks.size(); ++rank) {
            if (table.at(rank, step).known) {
                values.push_back(valueOf(table.at(rank, step), measure));
            }
        }
        rows.typical_ns.push_back(middleOf(values));
    }
    std::vector<Excess> excess(table.ranks.size());
    rows.scale_ns = std::max<DurationNs>(1, rows.step_ns * kLeastOf100 / 100);
    for (std::size_t rank = 0; rank < table.ranks.size(); ++rank) {
        for (std::size_t step = 0; step < table.steps.size(); ++step) {
            if (!table.at(rank, step).known) {
                continue;
            }
            const DurationNs above = valueOf(table.at(rank, step), measure) - rows.typical_ns[step];
            excess[rank].sum_ns += above;
            excess[rank].most_ns = std::max<DurationNs>(excess[rank].most_ns, std::abs(above));
            rows.scale_ns = std::max(rows.scale_ns, above);
        }
        const bool is_alike = excess[rank].most_ns * 100 < rows.step_ns * kAlikeOf100;
        (is_alike ? rows.alike : rows.apart).push_back(rank);
    }
    std::ranges::stable_sort(rows.apart, std::ranges::greater(), [&](std::size_t rank) { return excess[rank].sum_ns; });
    return rows;
}

}  // namespace rankscope::ui
