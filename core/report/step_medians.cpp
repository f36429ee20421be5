// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/step_medians.h"

#include <algorithm>
#include <vector>

namespace rankscope::report {
namespace {

/// The lower of the two middle ones where their number is even, so that it is a value that occurred.
template <class T>
T medianOf(std::vector<T> values) {
    const auto middle = values.begin() + (static_cast<std::ptrdiff_t>(values.size()) - 1) / 2;
    std::ranges::nth_element(values, middle);
    return *middle;
}

using Steps = std::vector<const RankStep*>;

/// Over the steps for which `value` gives one; nothing where there is none.
template <class T, class Value>
std::optional<T> medianOver(const Steps& steps, Value value) {
    std::vector<T> values;
    for (const RankStep* step : steps) {
        if (const std::optional<T> v = value(*step)) {
            values.push_back(*v);
        }
    }
    return values.empty() ? std::nullopt : std::optional<T>(medianOf(std::move(values)));
}

std::optional<double> ratio(DurationNs part, DurationNs whole) {
    return whole > 0 ? std::optional<double>(static_cast<double>(part) / static_cast<double>(whole)) : std::nullopt;
}

std::optional<Partition> partitionOf(const Steps& steps) {
    const auto column = [&steps](auto member) {
        return medianOver<DurationNs>(steps, [member](const RankStep& step) {
            return step.partition ? std::optional<DurationNs>((*step.partition).*member) : std::nullopt;
        });
    };
    const auto optional_column = [&steps](auto member) {
        return medianOver<DurationNs>(steps, [member](const RankStep& step) {
            return step.partition ? (*step.partition).*member : std::optional<DurationNs>();
        });
    };
    const auto compute = column(&Partition::compute_ns);
    if (!compute) {
        return std::nullopt;
    }
    Partition out;
    out.compute_ns = *compute;
    out.exposed_comm_ns = *column(&Partition::exposed_comm_ns);
    out.exposed_copy_ns = *column(&Partition::exposed_copy_ns);
    out.idle_ns = *column(&Partition::idle_ns);
    out.comm_ns = *column(&Partition::comm_ns);
    out.copy_ns = *column(&Partition::copy_ns);
    out.overlap_ns = *column(&Partition::overlap_ns);
    out.exposed_transfer_ns = optional_column(&Partition::exposed_transfer_ns);
    out.exposed_wait_ns = optional_column(&Partition::exposed_wait_ns);
    return out;
}

}  // namespace

std::optional<StepMedians> stepMedians(const RankFacts& facts) {
    Steps all;
    Steps ordinary;
    for (const RankStep& step : facts.steps) {
        all.push_back(&step);
        if (step.complete && !step.outlier) {
            ordinary.push_back(&step);
        }
    }
    if (all.empty()) {
        return std::nullopt;
    }
    const Steps& chosen = ordinary.empty() ? all : ordinary;
    StepMedians out;
    out.steps = all.size();
    out.ordinary = ordinary.size();
    out.over_all = ordinary.empty();
    out.duration_ns = *medianOver<DurationNs>(
        chosen, [](const RankStep& step) { return std::optional<DurationNs>(step.span.length()); });
    out.partition = partitionOf(chosen);
    out.overlap = medianOver<double>(chosen, [](const RankStep& step) {
        return step.partition ? ratio(step.partition->overlap_ns, step.partition->comm_ns) : std::nullopt;
    });
    out.utilisation = medianOver<double>(chosen, [](const RankStep& step) {
        return step.partition ? ratio(step.span.length() - step.partition->idle_ns, step.span.length()) : std::nullopt;
    });
    if (out.partition) {
        for (std::size_t i = 0; i < kCauseCount; ++i) {
            const auto cause = static_cast<Cause>(i);
            out.idle_causes[cause] = *medianOver<DurationNs>(
                chosen, [cause](const RankStep& step) { return std::optional<DurationNs>(step.idle_causes[cause]); });
        }
    }
    return out;
}

}  // namespace rankscope::report
