// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>

#include "core/ingest/files/path_map.h"
#include "ui/panels/shared/open_runs.h"
#include "ui/timeline/latest_job.h"

namespace rankscope::ui {

class LocateOffer;
class Session;

/// Finds out whether the traces of open digests can be reached, on a thread: their folders may be mounted
/// from afar.
class TraceFinder : public QObject {
    Q_OBJECT

  public:
    explicit TraceFinder(QObject* parent = nullptr);

    /// Looks for the traces of these runs by the folders of `map`, where they or the map are others than before;
    /// looked() follows.
    void look(const OpenRuns& runs, const PathMap& map);
    /// Finds what leads to those that are missing by now, in a folder that the user named; found() or notFound()
    /// follows.
    void lookIn(const QString& folder);
    /// Whether a thread is at it.
    [[nodiscard]] bool busy() const { return job_.busy(); }

  Q_SIGNALS:
    /// `missing` traces cannot be reached; the first of them was in `lay_in`.
    void looked(int missing, const QString& lay_in);
    /// This pair of folders leads to a trace that was missing.
    void found(const rankscope::MappedFolder& folder);
    /// No missing trace is in that folder, or below it.
    void notFound(const QString& folder);

  private:
    OpenRuns runs_;  // of digests alone
    PathMap map_;
    LatestJob job_;
};

/// Says in `offer` which traces are missing, and looks where the user says; `session` looks there from then on.
void connectTraces(Session& session, TraceFinder& finder, LocateOffer& offer);

}  // namespace rankscope::ui
