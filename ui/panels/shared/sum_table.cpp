// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/shared/sum_table.h"

#include <QEvent>
#include <QHeaderView>
#include <QTableWidget>
#include <algorithm>
#include <utility>

#include "ui/panels/shared/words.h"
#include "ui/widgets/table_look.h"

namespace rankscope::ui {
namespace {

constexpr int kRowsMeasured = 200;  // the widest row of a long table is usually among its first

/// Keeps the rows of a table as high as their text, whose size changes with the theme.
class RowsOfText : public QObject {
  public:
    explicit RowsOfText(QTableWidget& table) : QObject(&table), table_(table) {
        table.installEventFilter(this);
        fit();
    }

    bool eventFilter(QObject* watched, QEvent* event) override {
        if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange) {
            fit();
        }
        return QObject::eventFilter(watched, event);
    }

  private:
    void fit() {
        const int height = rowHeight(table_.fontMetrics());
        QHeaderView& rows = *table_.verticalHeader();
        if (rows.defaultSectionSize() != height) {
            rows.setMinimumSectionSize(height);
            rows.setDefaultSectionSize(height);
        }
    }

    QTableWidget& table_;
};

/// Keeps some columns of a table at the width that giveRest() sets.
class RestOfWidth : public QObject {
  public:
    RestOfWidth(QTableWidget& table, std::vector<int> columns, int letters)
        : QObject(&table), table_(table), columns_(std::move(columns)), letters_(letters) {
        QHeaderView& titles = *table.horizontalHeader();
        for (const int column : columns_) {
            titles.setSectionResizeMode(column, QHeaderView::Fixed);
        }
        table.viewport()->installEventFilter(this);
        connect(&titles, &QHeaderView::geometriesChanged, this, &RestOfWidth::fit);
        connect(&titles, &QHeaderView::sectionResized, this, [this](int column, int /*before*/, int /*now*/) {
            if (std::ranges::find(columns_, column) == columns_.end()) {
                fit();
            }
        });
    }

    bool eventFilter(QObject* watched, QEvent* event) override {
        if (event->type() == QEvent::Resize) {
            fit();
        }
        return QObject::eventFilter(watched, event);
    }

  private:
    void fit() {
        QHeaderView& titles = *table_.horizontalHeader();
        int rest = table_.viewport()->width();
        int sharing = 0;
        for (int column = 0; column < titles.count(); ++column) {
            if (std::ranges::find(columns_, column) == columns_.end()) {
                rest -= titles.sectionSize(column);  // nothing where it is hidden
            } else {
                sharing += titles.isSectionHidden(column) ? 0 : 1;
            }
        }
        const int least = letters_ * table_.fontMetrics().averageCharWidth();
        for (const int column : columns_) {
            if (!titles.isSectionHidden(column)) {
                const int width = std::max(least, rest / sharing);
                titles.resizeSection(column, width);
                rest -= width;
                --sharing;
            }
        }
    }

    QTableWidget& table_;
    std::vector<int> columns_;
    int letters_;
};

}  // namespace

NumberItem::NumberItem(const QString& shown, qint64 number, const QVariant& exact)
    : QTableWidgetItem(shown), number_(number) {
    setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
    setData(kExactRole, exact);
}

void giveRest(QTableWidget& table, const std::vector<int>& columns, int letters) {
    new RestOfWidth(table, columns, letters);  // the table's
}

NumberItem* timeItem(qint64 ns) {
    return new NumberItem(duration(ns), ns, ns);
}

void nameTimes(QTableWidget& table, const std::vector<int>& columns) {
    for (const int column : columns) {
        QTableWidgetItem& title = *table.horizontalHeaderItem(column);
        title.setData(kExactRole, titleWithUnit(title.text(), QStringLiteral("ns")));
    }
}

bool NumberItem::operator<(const QTableWidgetItem& other) const {
    const auto* right = dynamic_cast<const NumberItem*>(&other);
    return right != nullptr ? number_ < right->number_ : QTableWidgetItem::operator<(other);
}

QTableWidget* makeSumTable(const QStringList& headers, const QString& name) {
    auto* table = new QTableWidget(0, static_cast<int>(headers.size()));
    table->setHorizontalHeaderLabels(headers);
    dressTitles(*table->horizontalHeader());
    table->verticalHeader()->hide();
    new RowsOfText(*table);  // the table's
    table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table->setSelectionBehavior(QAbstractItemView::SelectRows);
    table->setShowGrid(false);
    table->setWordWrap(false);
    table->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    table->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    table->setAccessibleName(name);
    table->setTabKeyNavigation(false);  // Tab leads on through the window
    table->horizontalHeaderItem(0)->setTextAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    for (int column = 1; column < table->columnCount(); ++column) {
        table->horizontalHeaderItem(column)->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
        table->horizontalHeader()->setSectionResizeMode(column, QHeaderView::ResizeToContents);
    }
    table->horizontalHeader()->setResizeContentsPrecision(kRowsMeasured);
    table->horizontalHeader()->setHighlightSections(false);
    return table;
}

TableFill::TableFill(QTableWidget& table) : table_(table) {
    QHeaderView& titles = *table.horizontalHeader();
    for (int column = 0; column < titles.count(); ++column) {
        if (titles.sectionResizeMode(column) == QHeaderView::ResizeToContents) {
            measured_.push_back(column);
            titles.setSectionResizeMode(column, QHeaderView::Fixed);
        }
    }
}

TableFill::~TableFill() {
    for (const int column : measured_) {
        table_.horizontalHeader()->setSectionResizeMode(column, QHeaderView::ResizeToContents);
    }
}

}  // namespace rankscope::ui
