// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compare/breakdown.h"

#include <array>

#include "core/analysis/device/partition.h"
#include "core/analysis/steps/run_steps.h"

namespace rankscope {
namespace {

constexpr std::size_t kIdle = static_cast<std::size_t>(StepPart::Idle);
constexpr std::size_t kRows = kIdle + kCauseCount;

/// Sums of the parts of steps.
struct Sums {
    std::size_t steps = 0;
    std::array<DurationNs, kRows> ns{};

    void add(const RankStep& step) {
        const Partition& p = *step.partition;
        const DurationNs transfer = p.exposed_transfer_ns.value_or(0);
        const DurationNs wait = p.exposed_wait_ns.value_or(0);
        ++steps;
        at(StepPart::Compute) += p.compute_ns;
        at(StepPart::ExposedTransfer) += transfer;
        at(StepPart::ExposedWait) += wait;
        at(StepPart::ExposedUnsplit) += p.exposed_comm_ns - transfer - wait;
        at(StepPart::ExposedCopy) += p.exposed_copy_ns;
        for (std::size_t cause = 0; cause < kCauseCount; ++cause) {
            ns[kIdle + cause] += step.idle_causes.ns[cause];
        }
    }

    /// The mean of each row. Running sums are rounded down, so the rows add up to the mean step, itself rounded down.
    [[nodiscard]] std::array<DurationNs, kRows> means() const {
        std::array<DurationNs, kRows> out{};
        const auto count = static_cast<DurationNs>(steps);
        DurationNs before = 0;
        DurationNs sum = 0;
        for (std::size_t row = 0; row < kRows; ++row) {
            sum += ns[row];
            out[row] = sum / count - before;
            before = sum / count;
        }
        return out;
    }

  private:
    DurationNs& at(StepPart part) { return ns[static_cast<std::size_t>(part)]; }
};

Sums sumsOf(const RunFacts& facts, std::optional<RankPosition> only) {
    Sums sums;
    for (const RunStep& step : facts.steps) {
        for (RankPosition r{0}; isSteady(step) && r < facts.ranks.size(); ++r) {
            const RankStep* const own = facts.stepOf(step, r);
            if (r == only.value_or(r) && own != nullptr && own->partition) {
                sums.add(*own);
            }
        }
    }
    return sums;
}

}  // namespace

std::string_view stepPartName(StepPart part) {
    switch (part) {
        case StepPart::Compute: return "compute";
        case StepPart::ExposedTransfer: return "exposed-transfer";
        case StepPart::ExposedWait: return "exposed-wait";
        case StepPart::ExposedUnsplit: return "exposed-unsplit";
        case StepPart::ExposedCopy: return "exposed-copy";
        case StepPart::Idle: return "idle";
    }
    return "idle";
}

std::string breakdownTitle(const BreakdownRow& row) {
    switch (row.part) {
        case StepPart::Compute: return "Compute";
        case StepPart::ExposedTransfer: return "Exposed communication: transfer";
        case StepPart::ExposedWait: return "Exposed communication: waiting";
        case StepPart::ExposedUnsplit: return "Exposed communication: not divided";
        case StepPart::ExposedCopy: return "Exposed copy";
        case StepPart::Idle: return "Idle: " + std::string(causeTitle(row.cause));
    }
    return {};
}

std::optional<Breakdown> breakDown(const RunFacts& a, const RunFacts& b, std::optional<RanksToCompare> only) {
    const Sums sums_a = sumsOf(a, only ? std::optional(only->a) : std::nullopt);
    const Sums sums_b = sumsOf(b, only ? std::optional(only->b) : std::nullopt);
    if (sums_a.steps == 0 || sums_b.steps == 0) {
        return std::nullopt;
    }
    Breakdown out{.a_steps = sums_a.steps, .b_steps = sums_b.steps, .rows = {}};
    const auto means_a = sums_a.means();
    const auto means_b = sums_b.means();
    for (std::size_t row = 0; row < kRows; ++row) {
        const bool idle = row >= kIdle;
        out.rows.push_back({.part = idle ? StepPart::Idle : static_cast<StepPart>(row),
                            .cause = idle ? static_cast<Cause>(row - kIdle) : Cause::Unrecorded,
                            .a_ns = means_a[row],
                            .b_ns = means_b[row]});
        out.a_step_ns += means_a[row];
        out.b_step_ns += means_b[row];
    }
    return out;
}

StretchParts stretchParts(const RankFacts& facts, const TimeSpan& span) {
    StretchParts parts;
    const Partition partition = partitionOf(facts, span);
    parts.compute_ns = partition.compute_ns;
    parts.communication_ns = partition.exposed_comm_ns;
    parts.copy_ns = partition.exposed_copy_ns;
    parts.idle_ns = partition.idle_ns;
    for (const RankStep& step : facts.steps) {
        for (const Gap& gap : step.gaps) {
            for (const GapPart& part : gap.parts) {
                parts.idle_causes[part.cause] += intersect(part.span, span).length();
            }
        }
    }
    return parts;
}

}  // namespace rankscope
