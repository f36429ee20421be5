// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/memory/memory_tables.h"

#include <QButtonGroup>
#include <QHeaderView>
#include <QPushButton>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <utility>

#include "ui/widgets/table_look.h"
#include "ui/widgets/table_menu.h"
#include "ui/widgets/wrapping_row.h"

namespace rankscope::ui {
namespace {

// Pixels, beside text of the usual size.
constexpr int kMemoryNameWidth = 230;
constexpr int kMemoryWordWidth = 130;
constexpr int kMemoryNumberWidth = 96;

}  // namespace

MemoryTables::MemoryTables(const Theme& theme, QWidget* parent)
    : QWidget(parent),
      model_(new DataTableModel(theme, this)),
      view_(new QTableView),
      either_(new QButtonGroup(this)),
      choices_(new WrappingRow) {
    layOut();
    growWithText(*view_, theme);
    connect(either_, &QButtonGroup::idClicked, this, [this](int table) {
        front_ = tables_[static_cast<std::size_t>(table)].title;
        showTable(table);
    });
    connect(view_->horizontalHeader(), &QHeaderView::sectionClicked, this, &MemoryTables::sortBy);
    connect(view_, &QTableView::clicked, this, &MemoryTables::activate);
    connect(view_, &QTableView::activated, this, &MemoryTables::activate);
    connect(view_->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &MemoryTables::chooseRow);
}

void MemoryTables::layOut() {
    view_->setModel(model_);
    view_->setAccessibleName(tr("Memory"));
    dressTable(*view_);
    addSortAction(*view_, [this](int column) { sortBy(column); });
    view_->horizontalHeader()->setSectionsClickable(true);
    choices_->setSpacing(6);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(8, 0, 0, 0);
    layout->setSpacing(4);
    layout->addLayout(choices_);
    layout->addWidget(view_, 1);
}

void MemoryTables::setTables(std::vector<MemoryTable> tables) {
    tables_ = std::move(tables);
    for (QAbstractButton* button : either_->buttons()) {
        either_->removeButton(button);
        delete button;
    }
    int front = tables_.empty() ? -1 : 0;
    for (std::size_t i = 0; i < tables_.size(); ++i) {
        auto* button = new QPushButton(tables_[i].title);
        button->setCheckable(true);
        button->setProperty("role", QStringLiteral("choice"));
        either_->addButton(button, static_cast<int>(i));
        choices_->addWidget(button);
        front = tables_[i].title == front_ ? static_cast<int>(i) : front;
    }
    showTable(front);
}

void MemoryTables::setTheme(const Theme& theme) {
    model_->setTheme(theme);
    growWithText(*view_, theme);
}

const MemoryTable* MemoryTables::shown() const {
    return shown_ >= 0 && static_cast<std::size_t>(shown_) < tables_.size() ? &tables_[static_cast<std::size_t>(shown_)]
                                                                            : nullptr;
}

void MemoryTables::showTable(int table) {
    shown_ = table;
    order_ = {};
    view_->horizontalHeader()->setSortIndicatorShown(false);
    Q_EMIT framesChosen({});
    const MemoryTable* of = shown();
    view_->setVisible(of != nullptr);
    if (of == nullptr) {
        model_->set(nullptr, {});
        return;
    }
    either_->button(table)->setChecked(true);
    view_->setAccessibleName(of->title);
    model_->set(of->rows, rowsOf(*of->rows, order_));
    for (int column = 0; column < model_->columnCount(); ++column) {
        const bool number = report::isNumeric(of->rows->columns[static_cast<std::size_t>(column)].unit);
        const int usual = column == 0 ? kMemoryNameWidth : number ? kMemoryNumberWidth : kMemoryWordWidth;
        const int most = static_cast<int>(std::lround(grownBy(*view_) * usual));
        // Short names leave space for the numbers after them.
        if (!number) {
            view_->resizeColumnToContents(column);
        }
        view_->setColumnWidth(column, number ? most : std::min(view_->columnWidth(column), most));
    }
    widenToTitles(*view_);
}

void MemoryTables::sortBy(int column) {
    const MemoryTable* of = shown();
    if (of == nullptr) {
        return;
    }
    const bool number = report::isNumeric(of->rows->columns[static_cast<std::size_t>(column)].unit);
    order_.descending = order_.column == column ? !order_.descending : number;
    order_.column = column;
    view_->horizontalHeader()->setSortIndicatorShown(true);
    view_->horizontalHeader()->setSortIndicator(column, order_.descending ? Qt::DescendingOrder : Qt::AscendingOrder);
    model_->set(of->rows, rowsOf(*of->rows, order_));
}

void MemoryTables::activate(const QModelIndex& at) {
    const MemoryTable* of = shown();
    const std::size_t row = model_->sourceRow(at.row());
    if (of != nullptr && row < of->targets.size()) {
        Q_EMIT targetActivated(of->targets[row]);
    }
}

void MemoryTables::chooseRow(const QModelIndex& at) {
    const MemoryTable* of = shown();
    const std::size_t row = at.isValid() ? model_->sourceRow(at.row()) : 0;
    Q_EMIT framesChosen(of != nullptr && at.isValid() && row < of->frames.size() ? of->frames[row] : QStringList());
}

}  // namespace rankscope::ui
