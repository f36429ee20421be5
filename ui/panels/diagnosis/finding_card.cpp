// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/diagnosis/finding_card.h"

#include <QContextMenuEvent>
#include <QKeyEvent>
#include <QLabel>
#include <QMenu>
#include <QMouseEvent>
#include <QPainter>
#include <QStringList>
#include <QVBoxLayout>

#include "core/diagnosis/frame/worth.h"
#include "ui/panels/diagnosis/finding_words.h"
#include "ui/panels/shared/words.h"
#include "ui/theme/plain_text.h"
#include "ui/theme/text_scale.h"
#include "ui/widgets/wrapped_label.h"

namespace rankscope::ui {
namespace {

constexpr int kDot = 8;        // diameter of the sign of severity, beside text of the usual size
constexpr int kTextLeft = 32;  // where the text starts, right of the dot
constexpr int kRadius = 7;

/// High severity is a triangle, medium a diamond, low a dot: filled if the price can be trusted, otherwise an outline.
void paintSign(QPainter& painter, const QPointF& middle, double diameter, const QColor& colour, Severity severity,
               bool sure) {
    constexpr double kRing = 2.0;
    constexpr double kCorner = 1.25;  // shapes with corners look smaller
    const double radius = sure ? diameter / 2.0 : (diameter - kRing) / 2.0;
    painter.setPen(sure ? QPen(Qt::NoPen) : QPen(colour, kRing));
    painter.setBrush(sure ? QBrush(colour) : QBrush(Qt::NoBrush));
    const double r = radius * kCorner;
    switch (severity) {
        case Severity::High:
            painter.drawPolygon(QPolygonF({middle + QPointF(0, -r), middle + QPointF(r, r), middle + QPointF(-r, r)}));
            return;
        case Severity::Medium:
            painter.drawPolygon(QPolygonF(
                {middle + QPointF(0, -r), middle + QPointF(r, 0), middle + QPointF(0, r), middle + QPointF(-r, 0)}));
            return;
        case Severity::Low: painter.drawEllipse(middle, radius, radius); return;
    }
}

WrappedLabel* cardLine(const QString& words, const char* role) {
    auto* label = new WrappedLabel(words, role);
    label->setAttribute(Qt::WA_TransparentForMouseEvents);
    return label;
}

QLabel* quickMark() {
    QLabel* mark = plainLabel(FindingCard::tr("quick win"));
    mark->setProperty("role", QStringLiteral("mark"));
    mark->setAttribute(Qt::WA_TransparentForMouseEvents);
    return mark;
}

}  // namespace

FindingCard::FindingCard(const AnalysedRun& run, const Finding& finding, const Theme& theme, QWidget* parent)
    : QFrame(parent),
      theme_(theme),
      severity_(finding.severity),
      confidence_(finding.confidence),
      saving_(cardLine(savingNumber(finding), "heading")) {
    setFocusPolicy(Qt::StrongFocus);
    setCursor(Qt::PointingHandCursor);
    setAccessibleName(text(finding.title));
    const bool is_quick = isQuickWin(finding);
    const QString saves = savingText(run, finding);
    const QString where = placeAndChange(run, finding);
    const QString about = blockedAndConfidence(run, finding);
    QStringList spoken{severityText(finding.severity), saves, is_quick ? tr("quick win") : QString(), where, about};
    spoken.removeAll(QString());
    setAccessibleDescription(spoken.join(QStringLiteral(", ")));
    QStringList tip{saves, about};
    tip.removeAll(QString());
    setToolTip(plainTip(tip.join(QLatin1Char('\n'))));
    auto* first = new QHBoxLayout;
    first->setSpacing(8);
    first->addWidget(saving_, 1);
    if (is_quick) {
        first->addWidget(quickMark(), 0, Qt::AlignTop);
    }
    auto* lines = new QVBoxLayout(this);
    lines->setContentsMargins(kTextLeft, 9, 12, 9);
    lines->setSpacing(2);
    lines->addLayout(first);
    lines->addWidget(cardLine(text(finding.title), "plain"));
    if (!where.isEmpty()) {
        lines->addWidget(cardLine(where, "dim"));
    }
}

void FindingCard::setSelected(bool selected) {
    if (selected_ != selected) {
        selected_ = selected;
        update();
        tellContentChanged(*this);
    }
}

QString FindingCard::spokenContent() const {
    return selected_ ? tr("Selected: %1").arg(accessibleDescription()) : accessibleDescription();
}

void FindingCard::setTheme(const Theme& theme) {
    theme_ = theme;
    update();
}

void FindingCard::mousePressEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton) {
        setFocus(Qt::MouseFocusReason);
        Q_EMIT activated();
    }
}

void FindingCard::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter || event->key() == Qt::Key_Space) {
        Q_EMIT activated();
    } else {
        QFrame::keyPressEvent(event);
    }
}

void FindingCard::contextMenuEvent(QContextMenuEvent* event) {
    if (actions().isEmpty()) {
        return;
    }
    setFocus(Qt::MouseFocusReason);
    Q_EMIT activated();
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->addActions(actions());
    menu->popup(event->globalPos());
}

void FindingCard::enterEvent(QEnterEvent* event) {
    hovered_ = true;
    update();
    QFrame::enterEvent(event);
}

void FindingCard::leaveEvent(QEvent* event) {
    hovered_ = false;
    update();
    QFrame::leaveEvent(event);
}

void FindingCard::paintEvent(QPaintEvent* event) {
    (void)event;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF frame = QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5);
    const QColor severity = severityColour(severity_, theme_);
    QColor edge = hovered_ ? theme_.text_dim : theme_.border;
    if (selected_ || hasFocus()) {
        edge = selected_ ? severity : theme_.accent;
    }
    painter.setPen(edge);
    painter.setBrush(selected_ ? theme_.raised : theme_.surface);
    painter.drawRoundedRect(frame, kRadius, kRadius);
    // The sign is on the middle of the first line.
    const double middle = saving_->y() + QFontMetricsF(saving_->font()).height() / 2.0;
    paintSign(painter, {kTextLeft / 2.0, middle}, kDot * textScale(theme_), severity, severity_,
              confidence_ != Confidence::Low);
}

}  // namespace rankscope::ui
