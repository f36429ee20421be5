// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/shared/sorted_table.h"

#include <QAction>
#include <QFontMetrics>
#include <QHeaderView>
#include <QKeyEvent>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <utility>

#include "ui/theme/core_text.h"
#include "ui/theme/plain_text.h"
#include "ui/theme/text_scale.h"
#include "ui/timeline/frame/label_text.h"
#include "ui/widgets/column_fit.h"
#include "ui/widgets/table_look.h"
#include "ui/widgets/table_menu.h"

namespace rankscope::ui {
namespace {

// Pixels, beside text of the usual size.
constexpr int kNameColumn = 300;
constexpr int kWidestName = 640;  // farther from its numbers, a name is hard to match with them
constexpr int kTextColumn = 250;
constexpr int kWordColumn = 132;
constexpr int kNumberColumn = 96;
constexpr int kNarrowColumn = 84;  // width of any column if there is little room, except names
constexpr int kNarrowName = 180;
constexpr int kHeaderMargin = 2 * kCellPadding + 8;
constexpr int kGivenNumber = 64;  // beside a drawn column if there is little room
constexpr int kGivenName = 104;
constexpr int kLeastDrawn = 60;                    // width of a drawn column if there is little room: names come first
constexpr int kCellMargin = 2 * kCellPadding + 2;  // around the text of a cell
constexpr int kRowsLookedAt = 100;                 // to find the widest of a column

int widthOf(report::Unit unit, bool narrow) {
    switch (unit) {
        case report::Unit::Name: return narrow ? kNarrowName : kNameColumn;
        case report::Unit::Text: return narrow ? kNarrowName : kTextColumn;
        case report::Unit::Word: return narrow ? kNarrowColumn : kWordColumn;
        default: return narrow ? kNarrowColumn : kNumberColumn;
    }
}

}  // namespace

SortedTable::SortedTable(const QString& name, DataTableModel* model, QWidget* parent)
    : QWidget(parent), model_(model), view_(new QTableView), none_(plainLabel()) {
    model_->setParent(this);
    view_->setModel(model_);
    view_->setAccessibleName(name);
    dressTable(*view_);
    setHeights();
    view_->installEventFilter(this);
    view_->viewport()->installEventFilter(this);
    view_->horizontalHeader()->setStretchLastSection(false);
    sort_ = addSortAction(*view_, [this](int column) { sortBy(column); });
    setSortable(true);
    connect(view_, &QTableView::clicked, this, [this](const QModelIndex& at) { activate(at.row()); });
    connect(view_->horizontalHeader(), &QHeaderView::sectionClicked, this, &SortedTable::sortBy);
    none_->setProperty("role", QStringLiteral("dim"));
    none_->setWordWrap(true);
    none_->setMargin(16);
    none_->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(view_, 1);
    layout->addWidget(none_, 1);
    set(nullptr, {});
}

void SortedTable::setSortable(bool sortable) {
    view_->horizontalHeader()->setSectionsClickable(sortable);
    sort_->setVisible(sortable);
}

void SortedTable::set(std::shared_ptr<const report::DataTable> table, const QString& none) {
    job_.forget();
    table_ = std::move(table);
    order_ = {};
    view_->horizontalHeader()->setSortIndicatorShown(false);
    const bool some = table_ != nullptr && !table_->rows.empty();
    model_->set(table_, some ? rowsOf(*table_, order_) : std::vector<std::uint32_t>());
    view_->setVisible(some);
    none_->setVisible(!some);
    none_->setText(none);
    setWidths();
}

void SortedTable::drawLast(QAbstractItemDelegate* delegate) {
    draws_last_ = true;
    view_->setItemDelegateForColumn(model_->columnCount() - 1, delegate);
    view_->horizontalHeader()->setStretchLastSection(true);
    setWidths();
}

int SortedTable::scaled(int pixels) const {
    // With less than the intended width, words would be cut.
    return static_cast<int>(std::lround(pixels * std::max(1.0, textScale(model_->theme()))));
}

void SortedTable::setHeights() {
    const int height = rowHeight(QFontMetrics(model_->theme().ui_font));
    view_->verticalHeader()->setMinimumSectionSize(height);
    view_->verticalHeader()->setDefaultSectionSize(height);
}

void SortedTable::setWidths() {
    const int last = model_->columnCount() - 1;
    if (last < 0) {
        return;
    }
    const QFontMetrics title(view_->horizontalHeader()->font());
    const auto words = [&](int column) {
        return title.horizontalAdvance(coreText(table_->columns[static_cast<std::size_t>(column)].title));
    };
    for (int column = 0; fitted_ && column <= last; ++column) {
        const int needed = std::max(widestOf(column), words(column) + kHeaderMargin);
        view_->setColumnWidth(column, std::min(needed, scaled(kWidestName)));
    }
    if (fitted_) {
        return;
    }
    const bool gives = narrow_ && draws_last_;  // the drawn column gets the rest of the width
    const int least_drawn = std::max(kLeastDrawn, words(last) + kCellMargin);
    int others = gives ? least_drawn : 0;
    for (int column = 1; column <= (gives ? last - 1 : last); ++column) {
        const report::Column& of = table_->columns[static_cast<std::size_t>(column)];
        const int width = gives ? std::max(scaled(kGivenNumber), words(column) + kCellMargin)
                                : std::max(scaled(widthOf(of.unit, narrow_)), words(column) + kHeaderMargin);
        // A cell that is too narrow for its number shows nothing of it.
        const bool measured = narrow_ && report::isNumeric(of.unit);
        view_->setColumnWidth(column, measured ? std::max(width, widestOf(column)) : width);
        others += view_->columnWidth(column);
    }
    const int room = view_->viewport()->width() - others;
    if (gives) {  // names are complete up to a width; beyond that, the table scrolls
        const int widest = std::max({scaled(kNarrowColumn), widestOf(0), words(0) + kCellMargin});
        const int name = std::clamp(room, std::min(widest, scaled(kGivenName)), widest);
        view_->setColumnWidth(0, name);
        view_->setColumnWidth(last, least_drawn + std::max(0, room - name));
        return;
    }
    const int usual = widthOf(table_->columns.front().unit, narrow_);
    const int least = scaled(usual);
    const bool named = usual > kNumberColumn;  // names and words take the available width
    view_->setColumnWidth(0, !named        ? std::max(least, words(0) + kHeaderMargin)
                             : draws_last_ ? least
                                           : std::clamp(room, least, scaled(kWidestName)));
    shrinkColumns(*view_);
}

int SortedTable::widestOf(int column) const {
    int widest = 0;
    for (int row = 0; row < std::min(model_->rowCount(), kRowsLookedAt); ++row) {
        const QModelIndex at = model_->index(row, column);
        const QVariant font = at.data(Qt::FontRole);
        const QFontMetrics metrics = font.isValid() ? QFontMetrics(font.value<QFont>()) : view_->fontMetrics();
        widest = std::max(widest, metrics.horizontalAdvance(at.data().toString()));
    }
    return widest + kCellMargin;
}

void SortedTable::setNarrow(bool narrow) {
    narrow_ = narrow;
    setWidths();
}

void SortedTable::setFitted(bool fitted) {
    fitted_ = fitted;
    setWidths();
}

void SortedTable::setTheme(const Theme& theme) {
    model_->setTheme(theme);
    setHeights();
    setWidths();
}

void SortedTable::sortBy(int column) {
    if (!table_) {
        return;
    }
    order_.descending = order_.column == column ? !order_.descending : column != 0;
    order_.column = column;
    view_->horizontalHeader()->setSortIndicatorShown(true);
    view_->horizontalHeader()->setSortIndicator(column, order_.descending ? Qt::DescendingOrder : Qt::AscendingOrder);
    job_.start([this, table = table_, order = order_](const std::stop_token&) {
        auto rows = rowsOf(*table, order);
        return LatestJob::Show([this, table, rows = std::move(rows)] { model_->set(table, rows); });
    });
}

void SortedTable::activate(int shown_row) {
    if (shown_row >= 0 && shown_row < model_->rowCount()) {
        Q_EMIT rowActivated(model_->sourceRow(shown_row));
    }
}

void SortedTable::step(int direction) {
    const int rows = model_->rowCount();
    if (rows == 0) {
        return;
    }
    const QModelIndex at = view_->currentIndex();
    const int next = at.isValid() ? (at.row() + direction + rows) % rows : (direction > 0 ? 0 : rows - 1);
    view_->setCurrentIndex(model_->index(next, 0));
    activate(next);
}

bool SortedTable::eventFilter(QObject* watched, QEvent* event) {
    if (watched == view_->viewport() && event->type() == QEvent::Resize) {
        setWidths();
    }
    if (watched == view_ && event->type() == QEvent::KeyPress) {
        const auto* key = static_cast<QKeyEvent*>(event);
        if (key->matches(QKeySequence::Copy)) {
            copySelection(*view_);
            return true;
        }
        if ((key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter) && view_->currentIndex().isValid()) {
            activate(view_->currentIndex().row());
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

}  // namespace rankscope::ui
