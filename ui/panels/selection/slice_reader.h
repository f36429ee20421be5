// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <QThreadPool>
#include <cstdint>
#include <memory>
#include <utility>

#include "core/base/result.h"
#include "core/ingest/files/path_map.h"
#include "core/trace/rank_trace.h"

namespace rankscope::ui {

/// The facts about a slice that take longer than a frame.
struct SliceReading {
    DurationNs self_ns = 0;
    Result<std::string> event = Cancelled{};  ///< its JSON text, unchanged
};

/// Why an event cannot be read back, for people; if its trace is elsewhere, also how the window can find it.
[[nodiscard]] QString whyUnread(const Error& error);

/// Reads slices back from their files on its own thread. Reports only the answer to the latest request.
class SliceReader : public QObject {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(SliceReader)

  public:
    explicit SliceReader(QObject* parent = nullptr);
    ~SliceReader() override;

    /// Requests a slice of `rank`; ready() follows.
    void read(std::shared_ptr<const RankTrace> rank, SliceRef slice);
    /// Sets where to find the traces of digests; returns whether that is a change.
    bool setPathMap(const PathMap& map) { return std::exchange(map_, map) != map; }
    /// The answer is no longer needed.
    void forget();

  Q_SIGNALS:
    /// The last requested slice has been read: its self time, and its JSON text or why that is not available. Not sent
    /// for requests that a newer one or forget() has replaced.
    void ready(const rankscope::ui::SliceReading& reading);

  private:
    PathMap map_;
    QThreadPool pool_;
    std::uint64_t asked_ = 0;
};

}  // namespace rankscope::ui
