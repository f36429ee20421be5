// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/step_map_page.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "ui/panels/shared/heat_legend.h"
#include "ui/panels/shared/words.h"
#include "ui/panels/steps/step_map_view.h"
#include "ui/theme/plain_text.h"
#include "ui/widgets/panel_page.h"

namespace rankscope::ui {

StepMapPage::StepMapPage(const Theme& theme, QWidget* parent)
    : QWidget(parent),
      title_(plainLabel()),
      about_(plainLabel()),
      measure_(new QComboBox),
      timeline_(new QPushButton(tr("Show the Timeline"))),
      legend_(new HeatLegend(theme)),
      view_(new StepMapView(theme)) {
    setProperty("role", QStringLiteral("surface"));
    setAttribute(Qt::WA_StyledBackground);
    about_->setProperty("role", QStringLiteral("dim"));
    about_->setWordWrap(true);
    measure_->setAccessibleName(tr("Colour cells by"));
    for (std::size_t m = 0; m < kStepMapMeasures; ++m) {
        measure_->addItem(stepMapTitle(static_cast<StepMapMeasure>(m)));
    }
    connect(measure_, &QComboBox::currentIndexChanged, this, &StepMapPage::showMap);
    connect(timeline_, &QPushButton::clicked, this, &StepMapPage::timelineAsked);
    connect(view_, &StepMapView::shown, this, &StepMapPage::describe);
    auto* count_of = plainLabel();
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 12, 16, 12);
    layout->setSpacing(8);
    layout->addLayout(makePanelHead(*title_, *count_of, {measure_, timeline_}));
    layout->addWidget(about_);
    layout->addWidget(legend_);
    layout->addWidget(view_, 1);
    setTimelineThere(false);
}

void StepMapPage::setTable(const QString& name, std::shared_ptr<const StepTable> table) {
    if (table == table_) {
        return;
    }
    name_ = name;
    table_ = std::move(table);
    title_->setText(name);
    about_->setText(tr("Reading the steps of all ranks..."));
    showMap();
}

void StepMapPage::keepTo(const OpenRuns& runs) {
    const bool open = std::ranges::any_of(runs, [](const auto& run) {
        const auto& ranks = run->run->ranks;
        return ranks.size() >= kManyRanks && !ranks.front()->files.empty() &&
               !ranks.front()->files.front().digest.empty();
    });
    if (!open) {
        setTable({}, nullptr);
    }
}

void StepMapPage::setTheme(const Theme& theme) {
    legend_->setTheme(theme);
    view_->setTheme(theme);
}

void StepMapPage::setTimelineThere(bool there) {
    timeline_->setEnabled(there);
    timeline_->setToolTip(there ? QString() : plainTip(tr("The slices are still being read.")));
}

void StepMapPage::showMap() {
    view_->setMap(table_, static_cast<StepMapMeasure>(std::max(0, measure_->currentIndex())));
}

void StepMapPage::describe() {
    const StepMapRows* rows = view_->rows();
    if (rows == nullptr || table_ == nullptr) {
        return;
    }
    title_->setText(tr("%1: %2 ranks, %3 steps").arg(name_, count(table_->ranks.size()), count(table_->steps.size())));
    const QString measure = stepMapTitle(rows->measure);
    const QString apart = rows->apart.empty() ? tr("No rank differs from the median by 3 % of a step.")
                          : rows->apart.size() == 1
                              ? tr("1 rank differs from the median by 3 % of a step or more. It is on top.")
                              : tr("%1 ranks differ from the median by 3 % of a step or more. They are on top, the "
                                   "longest first.")
                                    .arg(count(rows->apart.size()));
    about_->setText(tr("%1 of each step, from each rank alone. %2 Click a cell to go to that step of that rank.")
                        .arg(measure, apart));
    legend_->setScale(tr("the median"), tr("%1 above it").arg(duration(rows->scale_ns)), false, false);
    legend_->setStriped(view_->striped());
}

}  // namespace rankscope::ui
