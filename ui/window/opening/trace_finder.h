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

/// Checks whether the traces of open digests can be reached, on a thread: their folders may be network mounts.
class TraceFinder : public QObject {
    Q_OBJECT

  public:
    explicit TraceFinder(QObject* parent = nullptr);

    /// Checks the traces of these runs with the folders of `map`, if they or the map have changed; looked() follows.
    void look(const OpenRuns& runs, const PathMap& map);
    /// Finds the missing traces in a folder that the user named; found() or notFound() follows.
    void lookIn(const QString& folder);
    /// Whether a thread is running.
    [[nodiscard]] bool busy() const { return job_.busy(); }

  Q_SIGNALS:
    /// `missing` traces cannot be reached; the first of them was in `lay_in`.
    void looked(int missing, const QString& lay_in);
    /// This pair of folders leads to a missing trace.
    void found(const rankscope::MappedFolder& folder);
    /// No missing trace is in that folder or below it.
    void notFound(const QString& folder);

  private:
    OpenRuns runs_;  // only digests
    PathMap map_;
    LatestJob job_;
};

/// Shows in `offer` which traces are missing, and searches where the user says; `session` then uses that folder too.
void connectTraces(Session& session, TraceFinder& finder, LocateOffer& offer);

}  // namespace rankscope::ui
