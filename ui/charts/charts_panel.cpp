// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/charts_panel.h"

#include <QButtonGroup>
#include <QChart>
#include <QComboBox>
#include <QPainter>
#include <QPushButton>
#include <QStackedWidget>
#include <QVBoxLayout>

#include "ui/charts/lateness_chart.h"
#include "ui/charts/memory_chart.h"
#include "ui/charts/partition_chart.h"
#include "ui/charts/role_chart.h"
#include "ui/charts/step_length_chart.h"
#include "ui/panels/shared/run_choice.h"
#include "ui/panels/shared/words.h"
#include "ui/widgets/panel_page.h"
#include "ui/widgets/wrapping_row.h"

namespace rankscope::ui {

ChartsPanel::ChartsPanel(const Theme& theme, QWidget* parent)
    : QWidget(parent),
      charts_{new PartitionChart(theme), new StepTimeChart(theme), new StepDistributionChart(theme),
              new LatenessChart(theme),  new MemoryChart(theme),   new RoleChart(theme)},
      run_(new QComboBox),
      pages_(new QStackedWidget),
      save_(new QPushButton(tr("Save picture..."))) {
    setProperty("role", QStringLiteral("surface"));
    setAttribute(Qt::WA_StyledBackground);
    run_->setAccessibleName(tr("Run"));
    auto* line = new WrappingRow;
    line->setSpacing(6);
    line->addWidget(run_);
    auto* group = new QButtonGroup(this);
    for (RunChart* chart : charts_) {
        auto* button = new QPushButton(chart->title());
        button->setCheckable(true);
        button->setProperty("role", QStringLiteral("choice"));
        group->addButton(button);
        line->addWidget(button);
        buttons_.push_back(button);
        pages_->addWidget(chart);
        connect(button, &QPushButton::clicked, pages_, [this, chart] { pages_->setCurrentWidget(chart); });
        connect(chart, &RunChart::stepActivated, this, &ChartsPanel::stepActivated);
        connect(chart, &RunChart::emptyChanged, this, &ChartsPanel::checkSave);
    }
    buttons_.front()->setChecked(true);
    save_->setProperty("role", QStringLiteral("quiet"));
    line->addStretch();
    line->addWidget(save_);
    QVBoxLayout* layout = makePanelPage(*this);
    layout->setContentsMargins(8, 6, 8, 0);
    layout->setSpacing(2);
    layout->addLayout(line);
    layout->addWidget(pages_, 1);
    connect(save_, &QPushButton::clicked, this, &ChartsPanel::savePicture);
    connect(pages_, &QStackedWidget::currentChanged, this, &ChartsPanel::checkSave);
    connect(run_, &QComboBox::currentIndexChanged, this, &ChartsPanel::hand);
    setRuns({});
}

RunChart& ChartsPanel::current() const {
    return *charts_[static_cast<std::size_t>(pages_->currentIndex())];
}

void ChartsPanel::setRuns(const OpenRuns& runs) {
    runs_ = runs;
    offerRuns(*run_, runs);
    hand();
}

void ChartsPanel::hand() {
    const std::uint32_t index = chosenRun(*run_);
    for (RunChart* chart : charts_) {
        chart->setRun(index < runs_.size() ? runs_[index] : nullptr, index);
    }
    checkSave();
}

bool ChartsPanel::canSave() const {
    return !current().empty();
}

void ChartsPanel::checkSave() {
    save_->setEnabled(canSave());
    Q_EMIT canSaveChanged(canSave());
}

void ChartsPanel::setTheme(const Theme& theme) {
    for (RunChart* chart : charts_) {
        chart->setTheme(theme);
    }
}

void ChartsPanel::showRun(std::uint32_t run) {
    run_->setCurrentIndex(static_cast<int>(run));
}

void ChartsPanel::showChart(std::size_t chart) {
    buttons_[chart]->click();
}

bool ChartsPanel::busy() const {
    return current().busy();
}

void ChartsPanel::paintChart(QPainter& painter, const QSize& size) const {
    current().paint(painter, size);
}

void ChartsPanel::savePicture() {
    current().savePicture();
}

}  // namespace rankscope::ui
