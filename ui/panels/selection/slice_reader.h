// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QThreadPool>
#include <cstdint>
#include <memory>
#include <utility>

#include "core/base/result.h"
#include "core/ingest/files/path_map.h"
#include "core/trace/rank_trace.h"

namespace rankscope::ui {

/// What of a slice takes longer than a frame to find out.
struct SliceReading {
    DurationNs self_ns = 0;
    Result<std::string> event = Cancelled{};  ///< its JSON text, word for word
};

/// Reads slices back from their files on its own thread. Reports only the answer to the latest request.
class SliceReader : public QObject {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(SliceReader)

  public:
    explicit SliceReader(QObject* parent = nullptr);
    ~SliceReader() override;

    /// Asks for a slice of `rank`; ready() follows.
    void read(std::shared_ptr<const RankTrace> rank, SliceRef slice);
    /// Where the traces of digests are looked for from now on; returns whether that is another.
    bool setPathMap(const PathMap& map) { return std::exchange(map_, map) != map; }
    /// The answer is not wanted any more.
    void forget();

  Q_SIGNALS:
    /// The slice that was asked for last has been read: its self time, and its JSON text or why that cannot be had. Not
    /// sent for questions that another one or forget() has overtaken.
    void ready(const rankscope::ui::SliceReading& reading);

  private:
    PathMap map_;
    QThreadPool pool_;
    std::uint64_t asked_ = 0;
};

}  // namespace rankscope::ui
