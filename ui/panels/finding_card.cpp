// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/finding_card.h"

#include <QContextMenuEvent>
#include <QKeyEvent>
#include <QLabel>
#include <QMenu>
#include <QMouseEvent>
#include <QPainter>
#include <QVBoxLayout>

#include "core/report/model/summary.h"
#include "ui/panels/words.h"
#include "ui/panels/wrapped_label.h"
#include "ui/theme/core_text.h"
#include "ui/timeline/frame/label_text.h"

namespace rankscope::ui {
namespace {

constexpr int kDot = 8;        // diameter of the sign of severity, beside text of the usual size
constexpr int kTextLeft = 32;  // where the text starts, right of the dot
constexpr int kRadius = 7;

QString whoText(const AnalysedRun& run, const Finding& finding) {
    QStringList parts;
    if (finding.blocked_ns > 0) {
        parts.append(QObject::tr("blocks %1").arg(unbroken(duration(finding.blocked_ns))));
    }
    const QString ranks = ranksName(*run.run, finding.ranks);
    if (!ranks.isEmpty()) {
        parts.append(ranks);
    }
    if (finding.coverage.steps > 0 && finding.coverage != run.diagnosis.prices) {
        parts.append(QObject::tr("of %1").arg(coreText(report::coverageText(*run.run, finding.coverage))));
    }
    parts.append(confidenceText(finding.confidence));
    return parts.join(QStringLiteral("  ·  "));
}

QString severityText(Severity severity) {
    switch (severity) {
        case Severity::High: return QObject::tr("high severity");
        case Severity::Medium: return QObject::tr("medium severity");
        case Severity::Low: return QObject::tr("low severity");
    }
    return {};
}

/// High severity is a triangle, medium a diamond, low a dot: filled where the price can be trusted, else an outline.
void paintSign(QPainter& painter, const QPointF& middle, double diameter, const QColor& colour, Severity severity,
               bool sure) {
    constexpr double kRing = 2.0;
    constexpr double kCorner = 1.25;  // what has corners looks smaller
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

WrappedLabel* line(const QString& words, const char* role) {
    auto* label = new WrappedLabel(words, role);
    label->setAttribute(Qt::WA_TransparentForMouseEvents);
    return label;
}

}  // namespace

FindingCard::FindingCard(const AnalysedRun& run, const Finding& finding, const Theme& theme, QWidget* parent)
    : QFrame(parent),
      theme_(theme),
      severity_(finding.severity),
      confidence_(finding.confidence),
      title_(line(text(finding.title), "heading")) {
    setFocusPolicy(Qt::StrongFocus);
    setCursor(Qt::PointingHandCursor);
    setAccessibleName(text(finding.title));
    const QString price = savingText(run, finding);
    QStringList about{severityText(finding.severity), price, whoText(run, finding)};
    about.removeAll(QString());
    setAccessibleDescription(about.join(QStringLiteral(", ")));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(kTextLeft, 10, 12, 10);
    layout->setSpacing(3);
    layout->addWidget(title_);
    if (!price.isEmpty()) {
        layout->addWidget(line(price, "plain"));
    }
    layout->addWidget(line(whoText(run, finding), "dim"));
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
    const QColor severity = findingColour(severity_, confidence_, theme_);
    QColor edge = hovered_ ? theme_.text_dim : theme_.border;
    if (selected_ || hasFocus()) {
        edge = selected_ ? severity : theme_.accent;
    }
    painter.setPen(edge);
    painter.setBrush(selected_ ? theme_.raised : theme_.surface);
    painter.drawRoundedRect(frame, kRadius, kRadius);
    // The dot stands on the middle of the title's first line.
    const double middle = title_->y() + QFontMetricsF(title_->font()).height() / 2.0;
    const bool sure = confidence_ != Confidence::Low;
    paintSign(painter, {kTextLeft / 2.0, middle}, kDot * textScale(theme_), severity,
              shownSeverity(severity_, confidence_), sure);
}

}  // namespace rankscope::ui
