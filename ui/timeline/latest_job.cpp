// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/latest_job.h"

#include <QCoreApplication>
#include <QEvent>
#include <QMetaObject>
#include <utility>

namespace rankscope::ui {

LatestJob::LatestJob(QObject* parent) : QObject(parent) {
    pool_.setMaxThreadCount(1);
}

LatestJob::~LatestJob() {
    forget();
    pool_.waitForDone();
}

void LatestJob::forget() {
    ++asked_;
    stop_.request_stop();
    pool_.clear();
    busy_ = false;
}

void LatestJob::finish() {
    pool_.waitForDone();
    QCoreApplication::sendPostedEvents(this, QEvent::MetaCall);
}

void LatestJob::start(Work work) {
    forget();
    stop_ = std::stop_source();
    busy_ = true;
    pool_.start([this, asked = asked_, stop = stop_.get_token(), work = std::move(work)] {
        Show show = work(stop);
        const auto deliver = [this, asked, show = std::move(show)] {
            if (asked != asked_) {
                return;
            }
            busy_ = false;
            if (show) {
                show();
            }
            Q_EMIT done();
        };
        QMetaObject::invokeMethod(this, deliver, Qt::QueuedConnection);
    });
}

}  // namespace rankscope::ui
