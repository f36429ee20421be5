// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/compare/compare_table.h"

#include <QAction>
#include <QFontMetrics>
#include <QHeaderView>
#include <QKeyEvent>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

#include "core/base/time.h"
#include "ui/panels/table_look.h"
#include "ui/panels/table_menu.h"
#include "ui/theme/core_text.h"
#include "ui/theme/plain_text.h"

namespace rankscope::ui {
namespace {

constexpr int kNameWidth = 300;
constexpr int kWidestName = 640;  // further away from its figures a name is no longer read with them
constexpr int kTextWidth = 250;
constexpr int kWordWidth = 132;
constexpr int kNumberWidth = 96;
constexpr int kHeaderMargin = 30;
constexpr DurationNs kWorthColour = 1'000;  // old files have no better resolution

/// Differences in colour: less is green, more is red. Counts a step have decimals only where they are no whole numbers,
/// and what became of a finding is said in words ("cannot tell").
class DifferenceModel : public DataTableModel {
  public:
    using DataTableModel::DataTableModel;

    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override {
        if (role == Qt::ForegroundRole && index.isValid() && unitOf(index.column()) == report::Unit::SignedDuration) {
            const auto* ns = std::get_if<std::int64_t>(&cell(index.row(), index.column()));
            if (ns != nullptr && std::abs(*ns) >= kWorthColour) {
                return *ns > 0 ? theme().severity_high : theme().overlap;
            }
        }
        if (role == Qt::DisplayRole && index.isValid() && unitOf(index.column()) == report::Unit::Decimal) {
            if (const auto* count = std::get_if<double>(&cell(index.row(), index.column()))) {
                return QString::number(*count, 'f', *count == std::round(*count) ? 0 : 1);
            }
        }
        if (role == Qt::DisplayRole && index.isValid() && table()->columns[column(index)].key == "change") {
            const QString words = DataTableModel::data(index, role).toString();
            return speaksAnotherLanguage() ? words : QString(words).replace(QLatin1Char('-'), QLatin1Char(' '));
        }
        return DataTableModel::data(index, role);
    }

  private:
    [[nodiscard]] static std::size_t column(const QModelIndex& index) {
        return static_cast<std::size_t>(index.column());
    }
    [[nodiscard]] report::Unit unitOf(int column) const {
        return table()->columns[static_cast<std::size_t>(column)].unit;
    }
};

int widthOf(report::Unit unit) {
    switch (unit) {
        case report::Unit::Name: return kNameWidth;
        case report::Unit::Text: return kTextWidth;
        case report::Unit::Word: return kWordWidth;
        default: return kNumberWidth;
    }
}

}  // namespace

CompareTable::CompareTable(const QString& name, const Theme& theme, QWidget* parent)
    : QWidget(parent), model_(new DifferenceModel(theme, this)), view_(new QTableView), none_(plainLabel()) {
    view_->setModel(model_);
    view_->setAccessibleName(name);
    dressTable(*view_);
    view_->installEventFilter(this);
    view_->viewport()->installEventFilter(this);
    view_->horizontalHeader()->setStretchLastSection(false);
    sort_ = addSortAction(*view_, [this](int column) { sortBy(column); });
    setSortable(true);
    connect(view_, &QTableView::clicked, this, [this](const QModelIndex& at) { activate(at.row()); });
    connect(view_->horizontalHeader(), &QHeaderView::sectionClicked, this, &CompareTable::sortBy);
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

void CompareTable::setSortable(bool sortable) {
    view_->horizontalHeader()->setSectionsClickable(sortable);
    sort_->setVisible(sortable);
}

void CompareTable::set(std::shared_ptr<const report::DataTable> table, const QString& none) {
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

void CompareTable::drawLast(QAbstractItemDelegate* delegate) {
    draws_last_ = true;
    view_->setItemDelegateForColumn(model_->columnCount() - 1, delegate);
    view_->horizontalHeader()->setStretchLastSection(true);
}

void CompareTable::setWidths() {
    const QFontMetrics title(view_->horizontalHeader()->font());
    int others = 0;
    for (int column = 1; column < model_->columnCount(); ++column) {
        const report::Column& of = table_->columns[static_cast<std::size_t>(column)];
        const int words = title.horizontalAdvance(coreText(of.title)) + kHeaderMargin;
        view_->setColumnWidth(column, std::max(widthOf(of.unit), words));
        others += view_->columnWidth(column);
    }
    if (model_->columnCount() > 0) {
        const int least = widthOf(table_->columns.front().unit);
        const bool named = least > kNumberWidth;  // names and words take what room there is
        const int room = view_->viewport()->width() - others;
        view_->setColumnWidth(0, named && !draws_last_ ? std::clamp(room, least, kWidestName) : least);
    }
}

void CompareTable::setTheme(const Theme& theme) {
    model_->setTheme(theme);
}

void CompareTable::sortBy(int column) {
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

void CompareTable::activate(int shown_row) {
    if (shown_row >= 0 && shown_row < model_->rowCount()) {
        Q_EMIT rowActivated(model_->sourceRow(shown_row));
    }
}

void CompareTable::step(int direction) {
    const int rows = model_->rowCount();
    if (rows == 0) {
        return;
    }
    const QModelIndex at = view_->currentIndex();
    const int next = at.isValid() ? (at.row() + direction + rows) % rows : (direction > 0 ? 0 : rows - 1);
    view_->setCurrentIndex(model_->index(next, 0));
    activate(next);
}

bool CompareTable::eventFilter(QObject* watched, QEvent* event) {
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
