// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QTimer>
#include <array>
#include <optional>
#include <vector>

#include "core/compare/pairing/phase_alignment.h"
#include "ui/compare/compared_runs.h"
#include "ui/timeline/selection/selection.h"

namespace rankscope::ui {

class TimelineWidget;

/// Moves two timelines together: the one that the user moves leads, and the other shows what corresponds, on the same
/// scale. They agree exactly in one column. By step: where the pair that was aligned last is in sight, else at the edge
/// where it left, so that the other moves evenly; once the view is at rest, where the step begins that has most of it,
/// or at the edge behind which it began. By phase: in the middle, so that what is looked at is the same phase, as far
/// through, in both; once a pair was aligned, in the column where it was, until it is out of sight.
class LinkedTimelines : public QObject {
    Q_OBJECT

  public:
    LinkedTimelines(TimelineWidget& a, TimelineWidget& b, QObject* parent = nullptr);

    /// Other runs, or the same with other clocks: shows the typical step of both, its starts below each other.
    /// `phases` are as `steps`, or none.
    void setSteps(std::vector<StepPair> steps, std::optional<std::size_t> typical, std::vector<StepPhases> phases = {});

    /// Whether the timelines move together.
    [[nodiscard]] bool linked() const { return linked_; }
    /// Moved freely, each timeline keeps its place until they are linked again; then the one moved last leads.
    void setLinked(bool linked);
    /// Whether the phases of a step are below each other, not only its start.
    [[nodiscard]] bool byPhase() const { return by_phase_; }
    /// Aligns phase by phase from now on, or step by step.
    void setByPhase(bool by_phase);
    /// From now on these two times, of `leader` and of the other, are below each other. The other follows.
    void align(Side leader, TimeNs of_leader_ns, TimeNs of_other_ns);

    /// Brings something of one run in sight and selects it; the other stays where it is.
    void reveal(Side side, const Selection& selection);

    /// Which of the pairs of steps is in the column where both agree.
    [[nodiscard]] std::optional<std::size_t> step() const;
    /// The phase of that step that is there; nothing between phases.
    [[nodiscard]] std::optional<Phase> phase() const;
    /// The one that was moved last.
    [[nodiscard]] Side leader() const { return leader_; }

  Q_SIGNALS:
    /// Other steps may be compared now.
    void moved();

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    static constexpr double kMiddle = 0.5;

    /// Where what was aligned last is out of sight: aligns the step that has most of the view; by phase the middle.
    void settle();
    /// Of `steps_`, that of which the leader shows most, the first of several; nothing where none is in sight.
    [[nodiscard]] std::optional<std::size_t> mostInSight() const;
    /// Whether what was aligned last is in sight.
    [[nodiscard]] bool pinInSight() const;
    void realign();
    [[nodiscard]] TimelineWidget& timeline(Side side) const { return *timelines_[static_cast<std::size_t>(side)]; }
    void follow();
    /// Where both agree, in the leader.
    struct Column {
        double x = 0;  ///< logical pixels
        TimeNs at_ns = 0;
    };
    [[nodiscard]] Column column() const;

    std::array<TimelineWidget*, 2> timelines_;
    std::vector<StepPair> steps_;
    std::vector<StepPhases> phases_;
    StepAlignment alignment_;
    std::array<std::optional<TimeNs>, 2> pinned_ns_;
    QTimer rest_;
    Side leader_ = Side::A;
    bool linked_ = true;
    bool by_phase_ = false;
    double column_share_ = kMiddle;  // of the leader's width: where both agreed last, by phase
    bool aligned_ = false;           // and not moved since
    bool following_ = false;
};

}  // namespace rankscope::ui
