// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <functional>
#include <memory>
#include <optional>

#include "core/compare/locations.h"
#include "core/compare/pairing/gap_counterpart.h"
#include "ui/compare/compared_runs.h"
#include "ui/timeline/latest_job.h"
#include "ui/timeline/selection/selection.h"

namespace rankscope::ui {

/// What was asked for in both runs.
struct FoundPair {
    Side from = Side::A;    ///< where it was selected; of a line of a table A, unless only B has it
    bool selected = false;  ///< by the user in that timeline; else both have to be shown
    LocationPair places;
    std::optional<GapCounterpart> instead;  ///< of a gap of `from`: what the other run does there
    std::optional<StragglerComparison>
        own;  ///< of a late rank of `from`: what it does by itself in both; `from`'s is the a

    /// Where it is in the run of this side; an empty location where that run has no counterpart.
    [[nodiscard]] const Location& place(Side side) const { return side == Side::A ? places.a : places.b; }
};

/// Asks for the places of a line of a table.
using AskPlaces = std::function<LocationPair(Locations&)>;

/// A selection of a timeline that shows one run as a place of that run, and back. A band is the communication in it.
[[nodiscard]] Location locationOf(const AnalysedRun& run, const Selection& selection);
[[nodiscard]] Selection selectionOf(const Location& place);

/// Finds counterparts on a thread. The newest request wins.
class Lookup : public QObject {
    Q_OBJECT

  public:
    explicit Lookup(QObject* parent = nullptr);

    /// Looks in these runs from now on; what was asked for of others is forgotten.
    void setRuns(std::shared_ptr<const ComparedRuns> runs);
    /// The counterpart of something that was selected in one of the two.
    void select(Side side, const Location& place);
    /// Where a line of a table can be seen.
    void ask(AskPlaces ask);
    /// What was asked for is not wanted any more.
    void forget() { job_.forget(); }
    /// The thread that looks, for whoever waits for it.
    [[nodiscard]] LatestJob& job() { return job_; }

  Q_SIGNALS:
    /// The answer to the newest request.
    void found(const rankscope::ui::FoundPair& pair);

  private:
    struct Cache;  // what the thread keeps between requests

    void start(std::function<FoundPair(Cache&)> work);

    std::shared_ptr<Cache> cache_;
    LatestJob job_;
};

}  // namespace rankscope::ui
