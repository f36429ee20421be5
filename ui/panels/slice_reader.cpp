// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/slice_reader.h"

#include <QMetaObject>
#include <algorithm>
#include <utility>

#include "core/ingest/load.h"

namespace rankscope::ui {

DurationNs selfTime(const SliceTable& slices, SliceIndex slice) {
    const TimeSpan whole = slices.span(slice);
    DurationNs covered = 0;
    TimeNs until = whole.start_ns;
    // Children stand behind their parent, in order of their start.
    for (std::size_t i = slice + 1; i < slices.size() && slices.start_ns[i] < whole.end_ns; ++i) {
        if (slices.parent[i] == slice) {
            const TimeNs start = std::max(until, slices.start_ns[i]);
            const TimeNs end = std::min(whole.end_ns, slices.end_ns[i]);
            covered += std::max<DurationNs>(0, end - start);
            until = std::max(until, end);
        }
    }
    return whole.length() - covered;
}

SliceReader::SliceReader(QObject* parent) : QObject(parent) {
    pool_.setMaxThreadCount(1);
}

SliceReader::~SliceReader() {
    pool_.clear();
    pool_.waitForDone();
}

void SliceReader::forget() {
    ++asked_;
    pool_.clear();
}

void SliceReader::read(std::shared_ptr<const RankTrace> rank, SliceRef slice) {
    forget();
    pool_.start([this, rank = std::move(rank), slice, asked = asked_] {
        auto reading = std::make_shared<SliceReading>();
        reading->self_ns = selfTime(rank->track(slice).slices, slice.slice);
        reading->event = readEventText(*rank, slice);
        QMetaObject::invokeMethod(
            this,
            [this, reading, asked] {
                if (asked == asked_) {
                    Q_EMIT ready(*reading);
                }
            },
            Qt::QueuedConnection);
    });
}

}  // namespace rankscope::ui
