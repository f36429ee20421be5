// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/run_chart.h"

#include <QAbstractAxis>
#include <QAbstractSeries>
#include <QChart>
#include <QCursor>
#include <QToolTip>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <utility>

#include "ui/charts/chart_look.h"
#include "ui/charts/picture_file.h"
#include "ui/theme/notice.h"
#include "ui/theme/plain_text.h"
#include "ui/timeline/frame/label_text.h"

namespace rankscope::ui {
namespace {

constexpr int kLeastHeight = 90;    // pixels, beside text of the usual size
constexpr int kTipStays = 600'000;  // milliseconds: as long as the pointer rests

}  // namespace

RunChart::RunChart(const QString& title, const Theme& theme, QWidget* parent)
    : DeferredPanel(parent),
      title_(title),
      theme_(theme),
      chart_(new QChart),
      view_(new ChartView(chart_)),  // a view without a chart creates its own, which setChart() would leave to us
      empty_(plainLabel()) {
    view_->setRenderHint(QPainter::Antialiasing);
    view_->setFrameShape(QFrame::NoFrame);
    view_->setBackgroundBrush(Qt::NoBrush);
    view_->setAccessibleName(title);
    setHeight();
    view_->viewport()->installEventFilter(this);
    connect(view_, &ChartView::arrived, this, [this](const QString& words, const QPoint& at) {
        QToolTip::showText(view_->viewport()->mapToGlobal(at), plainTip(words), view_, {}, kTipStays);
    });
    empty_->setProperty("role", QStringLiteral("dim"));
    empty_->setMargin(16);
    empty_->setWordWrap(true);
    empty_->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(view_, 1);
    layout->addWidget(empty_, 1);
}

void RunChart::setRun(std::shared_ptr<const AnalysedRun> run, std::uint32_t index) {
    const bool other = run != run_;
    run_ = std::move(run);
    index_ = index;
    if (other) {
        nothing_ = false;
        outdate();
        Q_EMIT emptyChanged();
    }
}

void RunChart::paint(QPainter& painter, const QSize& size) const {
    view_->render(&painter, QRectF(QPointF(), QSizeF(size)), QRect(), Qt::KeepAspectRatio);
}

void RunChart::savePicture() {
    constexpr QSize kUnseen(960, 480);
    if (nothing_) {
        if (NoticeBoard* const board = noticeBoardOf(*this)) {
            board->showPassing(empty_->text());
        }
        return;
    }
    const QSize size = view_->isVisible() ? view_->size() : kUnseen;
    askAndSavePicture(this, title_, size, theme_.surface, [this, size](QPainter& painter) { paint(painter, size); });
}

void RunChart::setTheme(const Theme& theme) {
    theme_ = theme;
    setHeight();
    outdate();
}

void RunChart::setHeight() {
    view_->setMinimumHeight(static_cast<int>(std::lround(kLeastHeight * std::max(1.0, textScale(theme_)))));
}

void RunChart::refresh() {
    offer({});
    view_->setTheme(theme_);
    chart_->removeAllSeries();
    for (QAbstractAxis* axis : chart_->axes()) {
        chart_->removeAxis(axis);
        delete axis;
    }
    dressChart(*chart_, theme_);
    QString why = tr("Open a run to see its charts.");
    if (run_) {
        why = run_->facts.ranks.empty() ? tr("Charts appear when all ranks are read and analysed.") : fill();
    }
    dressLegend(*chart_);
    view_->fitTitles();
    empty_->setText(why);
    empty_->setVisible(!why.isEmpty());
    view_->setVisible(why.isEmpty());
    nothing_ = !why.isEmpty();
    Q_EMIT emptyChanged();
}

void RunChart::add(QAbstractSeries* series, QAbstractAxis* across, QAbstractAxis* up) {
    chart_->addSeries(series);
    for (const auto& [axis, where] : {std::pair(across, Qt::AlignBottom), std::pair(up, Qt::AlignLeft)}) {
        if (!chart_->axes().contains(axis)) {
            chart_->addAxis(axis, where);
        }
        series->attachAxis(axis);
    }
}

void RunChart::offer(ChartItems items) {
    view_->setItems(std::move(items));
}

void RunChart::tell(const QString& words) {
    QToolTip::showText(QCursor::pos(), plainTip(words), view_, {}, kTipStays);
}

bool RunChart::eventFilter(QObject* watched, QEvent* event) {
    // Qt asks for a tip when the pointer has rested for a while, and would remove the one that is shown.
    return (watched == view_->viewport() && event->type() == QEvent::ToolTip) ||
           DeferredPanel::eventFilter(watched, event);
}

void RunChart::activateStep(RankPosition rank, RankStepPosition step) {
    if (run_ && rank < run_->facts.ranks.size() && step < run_->facts.ranks[rank].steps.size()) {
        Q_EMIT stepActivated(index_, rank, step);
    }
}

void RunChart::activateSlice(RankPosition rank, SliceRef slice) {
    if (slice.valid()) {
        Q_EMIT sliceActivated({index_, rank, slice});
    }
}

}  // namespace rankscope::ui
