// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/compare/linked_timelines.h"

#include <QEvent>
#include <algorithm>
#include <cmath>
#include <utility>

#include "ui/timeline/navigation/viewport.h"
#include "ui/timeline/timeline_widget.h"

namespace rankscope::ui {
namespace {

constexpr double kLeftOfStep = 0.04;  // of the longer step: what is in sight before both begin
constexpr double kRightOfStep = 0.12;
constexpr int kRestMs = 160;

}  // namespace

LinkedTimelines::LinkedTimelines(TimelineWidget& a, TimelineWidget& b, QObject* parent)
    : QObject(parent), timelines_{&a, &b} {
    for (const Side side : {Side::A, Side::B}) {
        timeline(side).installEventFilter(this);
        connect(&timeline(side), &TimelineWidget::windowChanged, this, [this, side] {
            if (!following_) {
                leader_ = side;
                aligned_ = false;
                follow();
                rest_.start();
                Q_EMIT moved();
            }
        });
    }
    rest_.setSingleShot(true);
    rest_.setInterval(kRestMs);
    connect(&rest_, &QTimer::timeout, this, &LinkedTimelines::settle);
}

bool LinkedTimelines::pinInSight() const {
    const auto& pinned = pinned_ns_[static_cast<std::size_t>(leader_)];
    const TimeSpan window = timeline(leader_).viewport().window();
    return pinned && window.start_ns <= *pinned && *pinned <= window.end_ns;
}

std::optional<std::size_t> LinkedTimelines::mostInSight() const {
    const TimeSpan window = timeline(leader_).viewport().window();
    std::optional<std::size_t> found;
    DurationNs most_ns = 0;
    for (std::size_t i = 0; i < steps_.size(); ++i) {
        const TimeSpan& step = leader_ == Side::A ? steps_[i].a_span : steps_[i].b_span;
        const DurationNs seen_ns = std::min(step.end_ns, window.end_ns) - std::max(step.start_ns, window.start_ns);
        if (seen_ns > most_ns) {
            most_ns = seen_ns;
            found = i;
        }
    }
    return found;
}

void LinkedTimelines::settle() {
    if (!linked_ || pinInSight()) {
        return;
    }
    if (by_phase_) {
        column_share_ = kMiddle;
        follow();
        Q_EMIT moved();
    } else if (const auto most = mostInSight()) {
        const TimeNs a = steps_[*most].a_span.start_ns;
        const TimeNs b = steps_[*most].b_span.start_ns;
        align(leader_, leader_ == Side::A ? a : b, leader_ == Side::A ? b : a);
    }
}

void LinkedTimelines::setSteps(std::vector<StepPair> steps, std::optional<std::size_t> typical,
                               std::vector<StepPhases> phases) {
    steps_ = std::move(steps);
    phases_ = std::move(phases);
    phases_.resize(steps_.size());
    pinned_ns_ = {};
    realign();
    leader_ = Side::A;
    if (typical) {
        const StepPair& pair = steps_[*typical];
        const auto longer = static_cast<double>(std::max(pair.a_span.length(), pair.b_span.length()));
        const TimeNs start = pair.a_span.start_ns;
        align(Side::A, start, pair.b_span.start_ns);
        timeline(Side::A).showWindow(
            {start - std::llround(kLeftOfStep * longer), start + std::llround((1 + kRightOfStep) * longer)});
    }
    follow();
    Q_EMIT moved();
}

// The pair that was aligned last stays so.
void LinkedTimelines::realign() {
    alignment_ = by_phase_ ? alignByPhase(steps_, phases_) : StepAlignment(steps_);
    if (pinned_ns_[0] && pinned_ns_[1]) {
        alignment_.pin(*pinned_ns_[0], *pinned_ns_[1]);
    }
}

void LinkedTimelines::setLinked(bool linked) {
    linked_ = linked;
    follow();
    Q_EMIT moved();
}

void LinkedTimelines::setByPhase(bool by_phase) {
    by_phase_ = by_phase;
    column_share_ = kMiddle;
    aligned_ = aligned_ && pinInSight();
    realign();
    follow();
    Q_EMIT moved();
}

void LinkedTimelines::align(Side leader, TimeNs of_leader_ns, TimeNs of_other_ns) {
    leader_ = leader;
    const bool is_a = leader == Side::A;
    pinned_ns_ = {is_a ? of_leader_ns : of_other_ns, is_a ? of_other_ns : of_leader_ns};
    alignment_.pin(*pinned_ns_[0], *pinned_ns_[1]);
    aligned_ = true;
    follow();
    Q_EMIT moved();
}

void LinkedTimelines::reveal(Side side, const Selection& selection) {
    const bool was = std::exchange(following_, true);
    timeline(side).reveal(selection);
    following_ = was;
}

bool LinkedTimelines::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Resize) {
        // Queued: it shall have its new width by then, and so may the other.
        QMetaObject::invokeMethod(this, &LinkedTimelines::follow, Qt::QueuedConnection);
    }
    return QObject::eventFilter(watched, event);
}

LinkedTimelines::Column LinkedTimelines::column() const {
    const Viewport& view = timeline(leader_).viewport();
    if (by_phase_ && !aligned_) {
        const double x = view.width() * column_share_;
        return {x, view.timeAt(x)};
    }
    const auto& pinned = pinned_ns_[static_cast<std::size_t>(leader_)];
    const double x = pinned ? view.xAt(*pinned) : 0.0;
    const double seen = std::clamp(x, 0.0, static_cast<double>(view.width()));
    return {seen, pinned && seen == x ? *pinned : view.timeAt(seen)};
}

void LinkedTimelines::follow() {
    if (!linked_) {
        return;
    }
    TimelineWidget& other = timeline(otherOf(leader_));
    const Viewport& view = timeline(leader_).viewport();
    const Column here = column();
    if (by_phase_) {
        column_share_ = here.x / view.width();
    }
    const double ns_per_pixel = static_cast<double>(view.window().length()) / view.width();
    const TimeNs there = leader_ == Side::A ? alignment_.toB(here.at_ns) : alignment_.toA(here.at_ns);
    const TimeNs start = there - std::llround(here.x * ns_per_pixel);
    const bool was = std::exchange(following_, true);
    other.followWindow({start, start + std::llround(ns_per_pixel * other.viewport().width())});
    following_ = was;
}

std::optional<std::size_t> LinkedTimelines::step() const {
    const auto start = [this](const StepPair& pair) {
        return leader_ == Side::A ? pair.a_span.start_ns : pair.b_span.start_ns;
    };
    const auto after = std::ranges::upper_bound(steps_, column().at_ns, {}, start);
    return after == steps_.begin() ? std::nullopt : std::optional(static_cast<std::size_t>(after - steps_.begin()) - 1);
}

std::optional<Phase> LinkedTimelines::phase() const {
    const auto at = step();
    if (!at) {
        return std::nullopt;
    }
    const TimeNs here = column().at_ns;
    const auto holds = [this, here](const PhasePair& pair) {
        return (leader_ == Side::A ? pair.a_span : pair.b_span).contains(here);
    };
    const auto found = std::ranges::find_if(phases_[*at].pairs, holds);
    return found == phases_[*at].pairs.end() ? std::nullopt : std::optional(found->phase);
}

}  // namespace rankscope::ui
