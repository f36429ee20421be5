// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/communication/pipeline_view.h"

#include <QApplication>
#include <QEnterEvent>
#include <QWheelEvent>
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "core/base/format.h"
#include "ui/panels/communication/pass_look.h"
#include "ui/panels/shared/words.h"
#include "ui/theme/core_text.h"
#include "ui/theme/slice_colors.h"
#include "ui/timeline/frame/label_text.h"
#include "ui/timeline/paint/ruler.h"

namespace rankscope::ui {
namespace {

constexpr int kNamePixels = 12;
constexpr int kSmallPixels = 11;
constexpr int kLeastTick = 110;  // width of a tick of the ruler, so that its label fits
constexpr double kLeastRow = 15;
constexpr double kHighestRow = 34;
constexpr double kRoom = 8;              // beside names
constexpr double kLeastNumbered = 9;     // width of a box that shows its number
constexpr double kLeastInSight = 1'000;  // ns
constexpr double kKeyZoom = 1.5;
constexpr double kKeyPan = 0.2;  // share of the visible time
constexpr double kWheelStep = 120;

bool isFitAll(const QKeyEvent& key) {
    return key.key() == Qt::Key_F && key.modifiers() == Qt::ShiftModifier;
}

/// Whether a key zooms, pans or fits.
bool isOwnKey(const QKeyEvent& key) {
    constexpr std::array kOwn = {Qt::Key_W, Qt::Key_S, Qt::Key_A, Qt::Key_D, Qt::Key_F};
    return isFitAll(key) || (key.modifiers() == Qt::NoModifier && std::ranges::find(kOwn, key.key()) != kOwn.end());
}

}  // namespace

PipelineView::PipelineView(const Theme& theme, QWidget* parent) : PaintedCells(theme, parent) {
    setAccessibleName(tr("Step of a pipeline"));
}

void PipelineView::setPicture(std::shared_ptr<const PipelinePicture> picture) {
    const bool same = picture_ != nullptr && picture != nullptr && picture->of->run == picture_->of->run &&
                      picture->pipeline == picture_->pipeline && picture->step == picture_->step;
    picture_ = std::move(picture);
    if (!same) {
        forgetCurrent();
        fit();
    }
    forgetPointed();
    layOut();
    tellContentChanged(*this);
}

// ---- layout

void PipelineView::layOut() {
    redraw();
    if (empty()) {
        setMinimumHeight(0);
        return;
    }
    const QFontMetricsF names(font(kNamePixels));
    const QFontMetricsF small(font(kSmallPixels));
    left_ = 0;
    right_ = small.horizontalAdvance(tr("bubble")) + kRoom;
    for (std::size_t row = 0; row < picture_->rows.size(); ++row) {
        left_ = std::max(left_, names.horizontalAdvance(nameOf(row)) + kRoom);
    }
    left_ = std::min(left_, width() / 3.0);
    ruler_ = small.height() + 4;
    const auto rows = static_cast<double>(picture_->rows.size());
    const double least = std::max(kLeastRow, names.height() + 2);
    row_height_ = std::clamp((height() - ruler_) / rows, least, std::max(least, kHighestRow));
    setMinimumHeight(static_cast<int>(std::ceil(ruler_ + rows * least)));
}

QRectF PipelineView::plot() const {
    return {left_, ruler_, std::max(1.0, width() - left_ - right_), height() - ruler_};
}

QRectF PipelineView::rowPlace(std::size_t row) const {
    return {0, ruler_ + static_cast<double>(row) * row_height_, static_cast<double>(width()), row_height_};
}

double PipelineView::xOf(TimeNs at) const {
    const auto since = static_cast<double>(at - picture_->window.plain().start_ns);
    return left_ + (since - from_ns_) / length_ns_ * plot().width();
}

QRectF PipelineView::stretch(std::size_t row, const TimeSpan& span) const {
    const QRectF line = rowPlace(row);
    const double left = std::clamp(xOf(span.start_ns), plot().left(), plot().right());
    const double right = std::clamp(xOf(span.end_ns), plot().left(), plot().right());
    return {left, line.top() + 1, right - left, line.height() - 2};
}

QRectF PipelineView::placeOf(const Place& at) const {
    QRectF place = stretch(at.row, picture_->rows[at.row].passes[at.box].span);
    const PipelinePass& pass = picture_->pass(at.row, at.box);
    if (pass.overlapped) {  // forward and backward at the same time: one above the other
        const double half = place.height() / 2;
        place = QRectF(place.left(), place.top() + (pass.kind == PassKind::Forward ? 0 : half), place.width(), half);
    }
    return place;
}

RunSpan PipelineView::inSight() const {
    const TimeNs start = empty() ? 0 : picture_->window.plain().start_ns + std::llround(from_ns_);
    return RunSpan({start, start + std::llround(length_ns_)});
}

void PipelineView::lookAt(double from_ns, double length_ns) {
    const auto whole = static_cast<double>(picture_->window.plain().length());
    length_ns_ = std::clamp(length_ns, std::min(kLeastInSight, whole), std::max(whole, 1.0));
    from_ns_ = std::clamp(from_ns, 0.0, std::max(0.0, whole - length_ns_));
    redraw();
}

void PipelineView::fit() {
    if (!empty()) {
        lookAt(0, static_cast<double>(picture_->window.plain().length()));
    }
}

void PipelineView::zoom(double factor, double about_x) {
    if (!empty()) {
        const double share = std::clamp((about_x - plot().left()) / plot().width(), 0.0, 1.0);
        const double about = from_ns_ + share * length_ns_;
        lookAt(about - share * length_ns_ / factor, length_ns_ / factor);
    }
}

// ---- painting

void PipelineView::draw(QPainter& painter) const {
    drawRuler(painter);
    for (std::size_t row = 0; row < picture_->rows.size(); ++row) {
        drawName(painter, row);
        drawRow(painter, row);
    }
}

void PipelineView::drawOver(QPainter& painter) const {
    if (const auto& of = pointed() ? pointed() : current()) {
        outlineMicroBatch(painter, *of);
    }
    if (current() && hasFocus()) {
        painter.setPen(QPen(theme().text, 2));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(placeOf(*current()).adjusted(0, 0, -1, -1));
    }
}

void PipelineView::drawRuler(QPainter& painter) const {
    painter.setFont(font(kSmallPixels));
    const QRectF line(plot().left(), 0, plot().width(), ruler_);
    const double bottom = ruler_ + static_cast<double>(picture_->rows.size()) * row_height_;
    const TimeNs from = std::llround(from_ns_);
    const Ruler ruler = makeRuler({from, from + std::llround(length_ns_)}, static_cast<int>(plot().width()),
                                  scaled(kLeastTick, theme()));
    for (const RulerTick& tick : ruler.ticks) {
        if (!tick.major) {
            continue;
        }
        const double x = plot().left() + (static_cast<double>(tick.at_ns) - from_ns_) / length_ns_ * plot().width();
        painter.fillRect(QRectF(std::round(x), ruler_ - 3, 1, bottom - ruler_ + 3), theme().grid);
        const double wide = painter.fontMetrics().horizontalAdvance(tick.label);
        if (x + 3 + wide <= line.right()) {
            painter.setPen(theme().text_dim);
            painter.drawText(QRectF(x + 3, 0, wide + 2, ruler_), Qt::AlignVCenter, tick.label);
        }
    }
    painter.setPen(theme().text_dim);
    painter.drawText(QRectF(0, 0, left_ - kRoom, ruler_), Qt::AlignRight | Qt::AlignVCenter, ruler.anchor);
    painter.drawText(QRectF(line.right(), 0, right_, ruler_), Qt::AlignRight | Qt::AlignVCenter, tr("bubble"));
}

void PipelineView::drawName(QPainter& painter, std::size_t row) const {
    const QRectF line = rowPlace(row);
    painter.setFont(font(kNamePixels));
    painter.setPen(picture_->rows[row].rank ? theme().text : theme().text_dim);
    const QString name = painter.fontMetrics().elidedText(nameOf(row), Qt::ElideMiddle, static_cast<int>(left_ - 4));
    painter.drawText(QRectF(0, line.top(), left_ - 4, line.height()), Qt::AlignVCenter, name);
    painter.setFont(font(kSmallPixels));
    painter.setPen(theme().text_dim);
    painter.drawText(line, Qt::AlignRight | Qt::AlignVCenter, bubbleText(row));
}

// Leaves out boxes that end in the pixel column that the previous one has filled: a step may have ten thousand.
void PipelineView::drawRow(QPainter& painter, std::size_t row) const {
    const PipelineRow& of = picture_->rows[row];
    const QRectF line = rowPlace(row).adjusted(left_, 1, -right_, -1);
    if (!of.rank) {
        painter.setPen(theme().text_dim);
        painter.drawText(line, Qt::AlignCenter, tr("no trace file"));
        return;
    }
    for (const BubbleBox& bubble : of.bubble) {
        const QRectF place = stretch(row, bubble.span);
        if (place.width() >= 0.5) {
            drawBubble(painter, place, bubble.cause, theme());
        }
    }
    painter.setFont(font(kSmallPixels));
    const QFontMetricsF metrics(painter.font());
    std::array<double, 2> filled{-1, -1};  // the end of what is drawn, for full-height passes and for those in each
                                           // half row
    for (std::size_t box = 0; box < of.passes.size(); ++box) {
        QRectF place = placeOf({row, box});
        const PipelinePass& pass = picture_->pass(row, box);
        double& done = filled.at(pass.overlapped && pass.kind != PassKind::Forward ? 1 : 0);
        if (place.right() <= plot().left() || place.left() >= plot().right() || place.right() < done) {
            continue;
        }
        done = std::ceil(place.right());
        place.setWidth(std::max(1.0, place.width() - (place.width() > 3 ? 1 : 0)));  // a thin gap between two boxes
        const bool later = isOfLaterStage(pass, picture_->facts());
        drawPass(painter, place, pass.kind, theme(), later);
        const QString number = QString::number(pass.micro_batch);
        if (pass.micro_batch >= 0 && place.width() >= kLeastNumbered && metrics.height() <= place.height() + 2 &&
            metrics.horizontalAdvance(number) + 2 <= place.width()) {
            painter.setPen(QColor::fromRgb(SliceColors::textOn(passColour(pass.kind, theme(), later).rgb())));
            painter.drawText(place, Qt::AlignCenter, number);
        }
    }
}

void PipelineView::outlineMicroBatch(QPainter& painter, const Place& of) const {
    const PipelinePass& wanted = picture_->pass(of.row, of.box);
    painter.setPen(QPen(theme().accent, 1.5));
    painter.setBrush(Qt::NoBrush);
    for (std::size_t row = 0; row < picture_->rows.size(); ++row) {
        for (std::size_t box = 0; box < picture_->rows[row].passes.size(); ++box) {
            const Place at{row, box};
            const bool same =
                at == of || (wanted.micro_batch >= 0 && picture_->pass(row, box).micro_batch == wanted.micro_batch);
            const QRectF place = same ? placeOf(at) : QRectF();
            if (place.width() >= 1) {
                painter.drawRect(place.adjusted(0, 0, -1, -1));
            }
        }
    }
}

// ---- texts

QString PipelineView::nameOf(std::size_t row) const {
    const PipelineRow& of = picture_->rows[row];
    const Pipeline& pipeline = picture_->facts();
    QStringList stages;
    if (!pipeline.stage_times.empty() && of.rank) {
        for (const StageTime& stage : pipeline.stage_times) {
            if (stage.rank == pipeline.ranks[*of.rank]) {
                stages << QString::number(stage.stage);
            }
        }
    }
    const QString stage = stages.size() > 1    ? tr("stages %1").arg(stages.join(QStringLiteral(", ")))
                          : stages.size() == 1 ? tr("stage %1").arg(stages.front())
                                               : tr("place %1").arg(of.place);
    return of.rank ? tr("%1 · %2", "stages of a pipeline, their rank")
                         .arg(stage, rankName(*picture_->of->run, pipeline.ranks[*of.rank]))
                   : stage;
}

QString PipelineView::bubbleText(std::size_t row) const {
    const PipelineRow& of = picture_->rows[row];
    if (!of.rank || picture_->rankStep(of).times.window() <= 0) {
        return {};
    }
    const PipelineTimes& times = picture_->rankStep(of).times;
    return text(formatPercent(static_cast<double>(times.bubbleTotal()) / static_cast<double>(times.window())));
}

QString PipelineView::tipOf(const Place& at) const {
    const PipelinePass& pass = picture_->pass(at.row, at.box);
    const TimeSpan& span = picture_->rows[at.row].passes[at.box].span;
    QStringList lines;
    lines << (pass.micro_batch >= 0 ? tr("%1 of micro-batch %2").arg(passTitle(pass.kind)).arg(pass.micro_batch)
                                    : passTitle(pass.kind));
    // A row may contain several stages: names the one of this pass.
    const QString rank = rankName(*picture_->of->run, picture_->facts().ranks[*picture_->rows[at.row].rank]);
    lines << (pass.stage >= 0 ? tr("stage %1 · %2", "a stage of a pipeline, its rank").arg(pass.stage).arg(rank)
                              : nameOf(at.row));
    lines << tr("%1, %2 into the step")
                 .arg(duration(span.length()), duration(span.start_ns - picture_->window.plain().start_ns));
    if (pass.overlapped) {
        lines << tr("together with a pass of the other kind");
    }
    return lines.join(QLatin1Char('\n'));
}

QString PipelineView::tipAt(const QPointF& at) const {
    if (const auto box = cellAt(at)) {
        return tipOf(*box);
    }
    for (std::size_t row = 0; row < picture_->rows.size(); ++row) {
        if (!rowPlace(row).contains(at)) {
            continue;
        }
        for (const BubbleBox& bubble : picture_->rows[row].bubble) {
            if (stretch(row, bubble.span).contains(at)) {
                return tr("%1: %2 of bubble\n%3", "why, how long, whose")
                    .arg(coreText(bubbleCauseTitle(bubble.cause)), duration(bubble.span.plain().length()), nameOf(row));
            }
        }
    }
    return {};
}

QString PipelineView::spokenContent() const {
    if (empty()) {
        return tr("No pipeline is shown.");
    }
    if (current()) {
        return tipOf(*current());
    }
    QStringList rows;
    for (std::size_t row = 0; row < picture_->rows.size(); ++row) {
        rows << tr("%1: bubble %2").arg(nameOf(row), bubbleText(row));
    }
    return rows.join(QStringLiteral("; "));
}

std::size_t PipelineView::spokenParts() const {
    return empty() ? 0 : picture_->rows.size();
}

SpokenPart PipelineView::spokenPart(std::size_t index) const {
    SpokenPart part;
    part.name = nameOf(index);
    part.about = tr("passes: %1, bubble: %2").arg(picture_->rows[index].passes.size()).arg(bubbleText(index));
    part.place = rowPlace(index).toAlignedRect();
    part.chosen = current() && current()->row == index;
    return part;
}

// ---- pointer and keys

std::optional<PipelineView::Place> PipelineView::cellAt(const QPointF& at) const {
    for (std::size_t row = 0; !empty() && row < picture_->rows.size(); ++row) {
        if (!rowPlace(row).contains(at)) {
            continue;
        }
        for (std::size_t box = 0; box < picture_->rows[row].passes.size(); ++box) {
            if (placeOf({row, box}).contains(at)) {
                return Place{row, box};
            }
        }
    }
    return std::nullopt;
}

bool PipelineView::event(QEvent* event) {
    if (event->type() == QEvent::ShortcutOverride && !empty() && isOwnKey(*static_cast<QKeyEvent*>(event))) {
        event->accept();  // otherwise the window's shortcut for this key would move the timeline
        return true;
    }
    return PaintedCells::event(event);
}

void PipelineView::wheelEvent(QWheelEvent* event) {
    const double turned = event->angleDelta().y() / kWheelStep;
    if (event->modifiers().testFlag(Qt::ControlModifier)) {
        zoom(std::pow(kKeyZoom, turned), event->position().x());
    } else if (event->modifiers().testFlag(Qt::ShiftModifier) && !empty()) {
        lookAt(from_ns_ - turned * kKeyPan * length_ns_, length_ns_);
    } else {
        QWidget::wheelEvent(event);  // the rows scroll
        return;
    }
    event->accept();
}

void PipelineView::mousePressEvent(QMouseEvent* event) {
    lent_ = false;  // after a click the keyboard stays here
    if (event->button() == Qt::LeftButton) {
        dragged_from_ = event->position();
        dragged_ = false;
    }
}

void PipelineView::mouseMoveEvent(QMouseEvent* event) {
    constexpr double kDragFrom = 4;  // pixels
    if (dragged_from_ && !empty()) {
        const double moved = event->position().x() - dragged_from_->x();
        if (dragged_ || std::abs(moved) >= kDragFrom) {
            dragged_ = true;
            dragged_from_ = event->position();
            lookAt(from_ns_ - moved / plot().width() * length_ns_, length_ns_);
        }
        return;
    }
    PaintedCells::mouseMoveEvent(event);
}

void PipelineView::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton && std::exchange(dragged_from_, std::nullopt) && !dragged_) {
        PaintedCells::mouseReleaseEvent(event);
    }
}

// Its keys follow the pointer: the keys of the timeline would otherwise move the timeline while the user looks at this
// view. A user who is typing is not interrupted, and when the pointer leaves, the keyboard returns to where it was.
void PipelineView::enterEvent(QEnterEvent* event) {
    QWidget* const now = QApplication::focusWidget();
    const bool types = now != nullptr && now->testAttribute(Qt::WA_InputMethodEnabled);
    if (!empty() && !hasFocus() && isActiveWindow() && !types) {
        lent_by_ = now;
        setFocus(Qt::MouseFocusReason);
        lent_ = hasFocus();
    }
    QWidget::enterEvent(event);
}

void PipelineView::leaveEvent(QEvent* event) {
    if (std::exchange(lent_, false) && hasFocus()) {
        lent_by_ != nullptr ? lent_by_->setFocus(Qt::MouseFocusReason) : clearFocus();
    }
    PaintedCells::leaveEvent(event);
}

void PipelineView::activate(const Place& at) {
    const PipelinePass& pass = picture_->pass(at.row, at.box);
    const SliceRef slice = pass.work.valid() ? pass.work : pass.mark;
    if (slice.valid()) {
        Q_EMIT sliceActivated(picture_->facts().ranks[*picture_->rows[at.row].rank], slice);
    }
}

void PipelineView::goTo(const Place& at) {
    const TimeSpan& span = picture_->rows[at.row].passes[at.box].span;
    const auto start = static_cast<double>(span.start_ns - picture_->window.plain().start_ns);
    const auto length = static_cast<double>(span.length());
    if (start < from_ns_ || start + length > from_ns_ + length_ns_) {
        lookAt(start + length / 2 - length_ns_ / 2, length_ns_);
    }
    PaintedCells::goTo(at);
}

std::optional<PipelineView::Place> PipelineView::next(int key) const {
    if (key == Qt::Key_Home || key == Qt::Key_End) {
        return std::nullopt;
    }
    const auto first = std::ranges::find_if(picture_->rows, [](const auto& row) { return !row.passes.empty(); });
    if (!current()) {
        return first != picture_->rows.end()
                   ? std::optional(Place{static_cast<std::size_t>(first - picture_->rows.begin()), 0})
                   : std::nullopt;
    }
    const auto& passes = picture_->rows[current()->row].passes;
    if (key == Qt::Key_Left || key == Qt::Key_Right) {
        const std::size_t to = key == Qt::Key_Right ? current()->box + 1 : current()->box - 1;
        return to < passes.size() ? std::optional(Place{current()->row, to}) : std::nullopt;
    }
    const TimeNs middle = passes[current()->box].span.plain().start_ns;
    for (std::size_t row = current()->row;;) {
        row = key == Qt::Key_Down ? row + 1 : row - 1;  // the row before the first one is the last
        if (row >= picture_->rows.size()) {
            return std::nullopt;
        }
        const auto& boxes = picture_->rows[row].passes;
        if (!boxes.empty()) {
            const auto nearest = std::ranges::min_element(
                boxes, {}, [middle](const PassBox& box) { return std::abs(box.span.plain().start_ns - middle); });
            return Place{row, static_cast<std::size_t>(nearest - boxes.begin())};
        }
    }
}

void PipelineView::keyPressEvent(QKeyEvent* event) {
    if (empty() || !isOwnKey(*event)) {
        PaintedCells::keyPressEvent(event);
        return;
    }
    const double middle = plot().center().x();
    switch (event->key()) {
        case Qt::Key_W: zoom(kKeyZoom, middle); return;
        case Qt::Key_S: zoom(1 / kKeyZoom, middle); return;
        case Qt::Key_A: lookAt(from_ns_ - kKeyPan * length_ns_, length_ns_); return;
        case Qt::Key_D: lookAt(from_ns_ + kKeyPan * length_ns_, length_ns_); return;
        default: fit();
    }
}

void PipelineView::focusOutEvent(QFocusEvent* event) {
    PaintedCells::focusOutEvent(event);
    const bool comes_back = event->reason() == Qt::ActiveWindowFocusReason || event->reason() == Qt::PopupFocusReason;
    lent_ = lent_ && comes_back;
}

}  // namespace rankscope::ui
