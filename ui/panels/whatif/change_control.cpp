// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/whatif/change_control.h"

#include <QCheckBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QSignalBlocker>
#include <QSlider>
#include <algorithm>
#include <cmath>
#include <utility>

#include "core/whatif/change.h"
#include "ui/theme/core_text.h"
#include "ui/theme/plain_text.h"

namespace rankscope::ui {
namespace {

constexpr int kStepsPerOctave = 10;  // of a logarithmic slider: 7 % per step
constexpr int kPage = 10;            // steps per PgUp
constexpr int kLeastSlider = 60;     // pixels
constexpr double kWidestFactor = 0.707;
constexpr int kBetween = 8;  // pixels

int octaveSteps(double value) {
    return static_cast<int>(std::lround(kStepsPerOctave * std::log2(value)));
}

double valueAt(const ChangeRange& range, int position) {
    return range.logarithmic ? std::exp2(static_cast<double>(position) / kStepsPerOctave) : position;
}

int positionOf(const ChangeRange& range, double value) {
    return range.logarithmic ? octaveSteps(value) : static_cast<int>(std::lround(value));
}

}  // namespace

ChangeControl::ChangeControl(OfferedChange offer, QWidget* parent)
    : QWidget(parent), offer_(std::move(offer)), box_(new QCheckBox) {
    QString words = offer_.title;
    box_->setText(words.replace(QLatin1Char('&'), QStringLiteral("&&")));
    box_->setAccessibleName(offer_.title);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(kBetween);
    row->addWidget(box_, 1);
    if (offer_.range) {
        addSlider(*row);
    }
    showMeaning();
    connect(box_, &QCheckBox::toggled, this, &ChangeControl::changed);
}

void ChangeControl::addSlider(QHBoxLayout& row) {
    const ChangeRange& range = *offer_.range;
    slider_ = new QSlider(Qt::Horizontal);
    slider_->setRange(positionOf(range, range.least), positionOf(range, range.most));
    slider_->setValue(positionOf(range, range.typical));
    slider_->setPageStep(range.whole ? std::max(1, (slider_->maximum() - slider_->minimum()) / kPage) : kPage);
    slider_->setFocusPolicy(Qt::StrongFocus);
    slider_->setMinimumWidth(kLeastSlider);
    slider_->setAccessibleName(tr("%1, its value", "a change").arg(offer_.title));
    value_ = plainLabel();
    value_->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    row.addWidget(slider_, 1);
    row.addWidget(value_);
    fitSlider();
    showValue();
    connect(slider_, &QSlider::valueChanged, this, [this] {
        showValue();
        setOn(true);
        Q_EMIT changed();
    });
}

bool ChangeControl::isOn() const {
    return box_->isChecked();
}

void ChangeControl::setOn(bool on) {
    const QSignalBlocker quiet(box_);
    box_->setChecked(on);
}

void ChangeControl::choose() {
    if (slider_ != nullptr) {
        const QSignalBlocker quiet(slider_);
        slider_->setValue(positionOf(*offer_.range, offer_.range->typical));
        showValue();
    }
    setOn(true);
}

double ChangeControl::value() const {
    return slider_ == nullptr ? 0 : valueAt(*offer_.range, slider_->value());
}

std::string ChangeControl::text() const {
    return offer_.with(value());
}

void ChangeControl::showMeaning() {
    if (const Result<WhatIfChange> change = parseWhatIf(text()); change.ok()) {
        setToolTip(plainTip(coreText(meaningOf(change.value()))));
    }
}

void ChangeControl::showValue() {
    const QString words = offer_.valueWords(value());
    value_->setText(words);
    slider_->setAccessibleDescription(words);
    showMeaning();
}

void ChangeControl::fitSlider() {
    const QFontMetrics metrics(font());
    int title = 0;
    int value = 0;
    for (const OfferedChange& each : offeredChanges()) {
        if (each.range) {
            title = std::max(title, metrics.horizontalAdvance(each.title));
            value = std::max({value, metrics.horizontalAdvance(each.valueWords(each.range->most)),
                              metrics.horizontalAdvance(each.valueWords(kWidestFactor))});
        }
    }
    const int before = box_->sizeHint().width() - metrics.horizontalAdvance(offer_.title);  // its square
    box_->setFixedWidth(title + before + 1);
    value_->setFixedWidth(value + 1);
}

void ChangeControl::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange && slider_ != nullptr) {
        fitSlider();
    }
}

}  // namespace rankscope::ui
