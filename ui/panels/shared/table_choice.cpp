// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/shared/table_choice.h"

#include <QButtonGroup>
#include <QPushButton>
#include <QStackedWidget>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "ui/panels/shared/sorted_table.h"
#include "ui/widgets/wrapping_row.h"

namespace rankscope::ui {
namespace {

constexpr int kFirstWidget = -2;  // the id of its button; QButtonGroup uses -1

}  // namespace

TableChoice::TableChoice(const Theme& theme, QWidget* parent)
    : QWidget(parent),
      either_(new QButtonGroup(this)),
      choices_(new WrappingRow),
      fronts_(new QStackedWidget),
      table_(new SortedTable({}, new DataTableModel(theme))) {
    choices_->setSpacing(6);
    table_->setFitted(true);
    fronts_->addWidget(table_);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(8, 0, 0, 0);
    layout->setSpacing(6);
    layout->addLayout(choices_);
    layout->addWidget(fronts_, 1);
    connect(either_, &QButtonGroup::idClicked, this, [this](int id) {
        wanted_ = either_->button(id)->text();
        show(id);
    });
    connect(table_, &SortedTable::rowActivated, this, [this](std::uint32_t row) { Q_EMIT rowActivated(front(), row); });
}

void TableChoice::setFirst(const QString& title, QWidget* widget) {
    first_ = title;
    fronts_->addWidget(widget);
}

void TableChoice::addButton(const QString& title, int id) {
    auto* button = new QPushButton(title);
    button->setCheckable(true);
    button->setProperty("role", QStringLiteral("choice"));
    either_->addButton(button, id);
    choices_->addWidget(button);
}

void TableChoice::setTables(std::vector<TitledTable> tables) {
    tables_ = std::move(tables);
    for (QAbstractButton* button : either_->buttons()) {
        either_->removeButton(button);
        delete button;
    }
    if (!first_.isEmpty()) {
        addButton(first_, kFirstWidget);
    }
    for (std::size_t i = 0; i < tables_.size(); ++i) {
        addButton(tables_[i].title, static_cast<int>(i));
    }
    showFront(wanted_);
}

void TableChoice::showFront(const QString& title) {
    const auto at = std::ranges::find(tables_, title, &TitledTable::title);
    show(at != tables_.end() ? static_cast<int>(at - tables_.begin()) : first_.isEmpty() ? 0 : kFirstWidget);
}

void TableChoice::show(int id) {
    if (QAbstractButton* const button = either_->button(id)) {
        button->setChecked(true);
    }
    fronts_->setCurrentIndex(id == kFirstWidget ? 1 : 0);
    if (id >= 0) {
        const TitledTable table =
            static_cast<std::size_t>(id) < tables_.size() ? tables_[static_cast<std::size_t>(id)] : TitledTable();
        table_->view().setAccessibleName(table.title);
        table_->set(table.rows, table.none);
    }
}

QString TableChoice::front() const {
    const QAbstractButton* const button = either_->checkedButton();
    return button != nullptr ? button->text() : QString();
}

void TableChoice::setTheme(const Theme& theme) {
    table_->setTheme(theme);
}

}  // namespace rankscope::ui
