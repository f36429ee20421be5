// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/selection/slice_reader.h"

#include <QMetaObject>
#include <utility>

#include "core/analysis/tables/operators.h"
#include "core/ingest/load.h"
#include "ui/panels/shared/words.h"

namespace rankscope::ui {

QString whyUnread(const Error& error) {
    const QString why = text(error.text());
    const bool elsewhere = error.cause.find("--map") != std::string::npos;  // an option of the command line
    return elsewhere ? QObject::tr("%1 - or by Locate Folder, in the line above the timeline.").arg(why) : why;
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
    pool_.start([this, rank = std::move(rank), slice, map = map_, asked = asked_] {
        auto reading = std::make_shared<SliceReading>();
        reading->self_ns = selfTime(rank->track(slice).slices, slice.slice);
        reading->event = readMappedEventText(*rank, slice, map);
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
