// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/pipeline/pipeline.h"

#include <numeric>

namespace rankscope {
namespace {

double shareOf(DurationNs part_ns, DurationNs whole_ns) {
    return whole_ns > 0 ? static_cast<double>(part_ns) / static_cast<double>(whole_ns) : 0.0;
}

}  // namespace

std::string_view passKindName(PassKind kind) {
    switch (kind) {
        case PassKind::Forward: return "forward";
        case PassKind::Backward: return "backward";
        case PassKind::WeightGradient: return "weight-gradient";
    }
    return "forward";
}

std::string_view bubbleCauseName(BubbleCause cause) {
    switch (cause) {
        case BubbleCause::WarmUp: return "warm-up";
        case BubbleCause::Drain: return "drain";
        case BubbleCause::StageWait: return "stage-wait";
        case BubbleCause::HandOver: return "hand-over";
    }
    return "warm-up";
}

std::string_view bubbleCauseTitle(BubbleCause cause) {
    switch (cause) {
        case BubbleCause::WarmUp: return "warm-up";
        case BubbleCause::Drain: return "drain";
        case BubbleCause::StageWait: return "waits for stages";
        case BubbleCause::HandOver: return "hand-over";
    }
    return "warm-up";
}

std::string_view scheduleName(Schedule schedule) {
    switch (schedule) {
        case Schedule::GPipe: return "gpipe";
        case Schedule::OneFOneB: return "1f1b";
        case Schedule::Interleaved: return "interleaved-1f1b";
        case Schedule::ZeroBubble: return "zero-bubble";
        case Schedule::DualPipe: return "dualpipe";
    }
    return "gpipe";
}

std::string_view scheduleTitle(Schedule schedule) {
    switch (schedule) {
        case Schedule::GPipe: return "GPipe";
        case Schedule::OneFOneB: return "1F1B";
        case Schedule::Interleaved: return "interleaved 1F1B";
        case Schedule::ZeroBubble: return "zero bubble";
        case Schedule::DualPipe: return "DualPipe";
    }
    return "GPipe";
}

std::string_view passSourceName(PassSource source) {
    switch (source) {
        case PassSource::Actions: return "actions";
        case PassSource::Numbers: return "numbers";
        case PassSource::Ranges: return "ranges";
        case PassSource::SendsAndReceives: return "sends-and-receives";
    }
    return "sends-and-receives";
}

DurationNs PipelineTimes::bubbleTotal() const {
    return std::accumulate(bubble.begin(), bubble.end(), DurationNs{0});
}

PipelineTimes& PipelineTimes::operator+=(const PipelineTimes& other) {
    forward_ns += other.forward_ns;
    backward_ns += other.backward_ns;
    weight_gradient_ns += other.weight_gradient_ns;
    overlapped_ns += other.overlapped_ns;
    other_ns += other.other_ns;
    outside_ns += other.outside_ns;
    beyond_ns += other.beyond_ns;
    idle_in_passes_ns += other.idle_in_passes_ns;
    unsplit_ns += other.unsplit_ns;
    for (std::size_t i = 0; i < bubble.size(); ++i) {
        bubble[i] += other.bubble[i];
    }
    return *this;
}

double PipelineStep::bubbleShare() const {
    PipelineTimes times;
    for (const RankPipelineStep& rank : ranks) {
        times += rank.times;
    }
    return shareOf(times.bubbleTotal(), times.window());
}

PipelineTimes Pipeline::times() const {
    PipelineTimes times;
    for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
        times += timesOf(rank);
    }
    return times;
}

PipelineTimes Pipeline::timesOf(std::size_t rank) const {
    PipelineTimes times;
    for (const std::size_t step : counted) {
        times += steps[step].ranks[rank].times;
    }
    return times;
}

double Pipeline::bubbleShare() const {
    const PipelineTimes all = times();
    return shareOf(all.bubbleTotal(), all.window());
}

}  // namespace rankscope
