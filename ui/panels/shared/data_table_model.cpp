// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/shared/data_table_model.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <numeric>
#include <utility>

#include "ui/panels/shared/words.h"
#include "ui/theme/core_text.h"
#include "ui/theme/plain_text.h"
#include "ui/widgets/table_look.h"

namespace rankscope::ui {
namespace {

bool isEmpty(const report::Cell& cell) {
    return std::holds_alternative<std::monostate>(cell);
}

/// The value for kExactRole; nothing for text, which is shown unchanged.
QVariant exactOf(const report::Cell& cell) {
    if (const auto* flag = std::get_if<bool>(&cell)) {
        return *flag;
    }
    if (const auto* whole = std::get_if<std::int64_t>(&cell)) {
        return qlonglong{*whole};
    }
    if (const auto* real = std::get_if<double>(&cell)) {
        return *real;
    }
    return isEmpty(cell) ? QVariant(QString()) : QVariant();
}

/// A name as recorded, of which a cell may show only a part; nothing for other cells.
QVariant wholeName(const report::Cell& cell, report::Unit unit) {
    const auto* const name = unit == report::Unit::Name ? std::get_if<std::string>(&cell) : nullptr;
    return name != nullptr ? QVariant(text(*name)) : QVariant();
}

/// The texts that a row must contain: the words of a filter; words between quotes are one text.
std::vector<QString> piecesOf(const QString& filter) {
    std::vector<QString> pieces;
    QString piece;
    bool quoted = false;
    const auto end_piece = [&] {
        if (!piece.isEmpty()) {
            pieces.push_back(std::exchange(piece, QString()));
        }
    };
    for (const QChar letter : filter) {
        if (letter == QLatin1Char('"')) {
            quoted = !quoted;
            end_piece();
        } else if (letter.isSpace() && !quoted) {
            end_piece();
        } else {
            piece += letter;
        }
    }
    end_piece();
    return pieces;
}

/// Whether a row contains all texts of the filter, each in any of the searched columns.
bool fits(const report::DataTable& table, std::uint32_t row, bool everywhere, std::vector<QString> pieces) {
    const std::size_t looked_at = everywhere ? table.columns.size() : 1;
    for (std::size_t column = 0; column < looked_at && !pieces.empty(); ++column) {
        const report::Cell& cell = table.rows[row][column];
        const auto* const name = std::get_if<std::string>(&cell);
        const QString words = name != nullptr ? text(*name)
                              : everywhere    ? text(report::cellText(cell, table.unitOf(row, column)))
                                              : QString();
        std::erase_if(pieces, [&words](const QString& piece) { return words.contains(piece, Qt::CaseInsensitive); });
    }
    return pieces.empty();
}

}  // namespace

std::vector<std::uint32_t> rowsOf(const report::DataTable& table, const TableOrder& order) {
    std::vector<std::uint32_t> rows;
    const std::vector<QString> pieces = piecesOf(order.filter);
    for (std::uint32_t row = 0; row < table.rows.size(); ++row) {
        if (pieces.empty() || fits(table, row, order.everywhere, pieces)) {
            rows.push_back(row);
        }
    }
    if (order.column < 0 || order.column >= static_cast<int>(table.columns.size())) {
        return rows;
    }
    const auto column = static_cast<std::size_t>(order.column);
    std::ranges::stable_sort(rows, [&](std::uint32_t a, std::uint32_t b) {
        const report::Cell& of_a = table.rows[a][column];
        const report::Cell& of_b = table.rows[b][column];
        if (isEmpty(of_a) || isEmpty(of_b)) {
            return !isEmpty(of_a) && isEmpty(of_b);
        }
        return order.descending ? of_b < of_a : of_a < of_b;
    });
    return rows;
}

std::vector<std::vector<int>> longestTexts(const report::DataTable& table, const std::vector<std::uint32_t>& rows) {
    constexpr std::size_t kOfColumn = 6;
    std::vector<std::vector<int>> longest(table.columns.size());
    std::vector<std::pair<std::size_t, int>> letters(rows.size());
    for (std::size_t column = 0; column < table.columns.size(); ++column) {
        for (std::size_t i = 0; i < rows.size(); ++i) {
            const std::string words = report::cellText(table.rows[rows[i]][column], table.unitOf(rows[i], column));
            letters[i] = {words.size(), static_cast<int>(i)};
        }
        const auto end = letters.begin() + static_cast<std::ptrdiff_t>(std::min(kOfColumn, letters.size()));
        std::ranges::partial_sort(letters, end, std::greater());
        std::transform(letters.begin(), end, std::back_inserter(longest[column]),
                       [](const auto& one) { return one.second; });
    }
    return longest;
}

DataTableModel::DataTableModel(const Theme& theme, QObject* parent) : QAbstractTableModel(parent), theme_(theme) {}

void DataTableModel::set(std::shared_ptr<const report::DataTable> table, std::vector<std::uint32_t> rows) {
    beginResetModel();
    table_ = std::move(table);
    rows_ = std::move(rows);
    endResetModel();
}

void DataTableModel::setTheme(const Theme& theme) {
    theme_ = theme;
    Q_EMIT layoutChanged();
}

QString DataTableModel::name(int row) const {
    const auto* found = std::get_if<std::string>(&cell(row, 0));
    return found == nullptr ? QString() : text(*found);
}

int DataTableModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int DataTableModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() || !table_ ? 0 : static_cast<int>(table_->columns.size());
}

const report::Cell& DataTableModel::cell(int row, int column) const {
    return table_->rows[rows_[static_cast<std::size_t>(row)]][static_cast<std::size_t>(column)];
}

QVariant DataTableModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) {
        return {};
    }
    const report::Unit unit = table_->unitOf(sourceRow(index.row()), static_cast<std::size_t>(index.column()));
    switch (role) {
        case Qt::DisplayRole: {
            const std::string words = report::cellText(cell(index.row(), index.column()), unit);
            const bool said = unit == report::Unit::Word || unit == report::Unit::Text;
            const QString shown = said ? coreText(words) : text(words);
            return cellWords(report::isNumeric(unit) ? withMinus(shown) : shown);
        }
        case kWholeTextRole: return wholeName(cell(index.row(), index.column()), unit);
        case kExactRole: return exactOf(cell(index.row(), index.column()));
        case Qt::ToolTipRole: return plainTip(wholeName(cell(index.row(), index.column()), unit).toString());
        case Qt::TextAlignmentRole:
            return QVariant::fromValue((report::isNumeric(unit) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
        case Qt::FontRole: return report::isNumeric(unit) ? QVariant(theme_.mono_font) : QVariant();
        default: return {};
    }
}

QVariant DataTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || !table_ || section >= columnCount()) {
        return {};
    }
    const report::Column& column = table_->columns[static_cast<std::size_t>(section)];
    if (role == Qt::TextAlignmentRole) {
        return QVariant::fromValue((report::isNumeric(column.unit) ? Qt::AlignRight : Qt::AlignLeft) |
                                   Qt::AlignVCenter);
    }
    if (role == kExactRole) {
        return text(column.key);
    }
    return role == Qt::DisplayRole ? QVariant(coreText(column.title)) : QVariant();
}

}  // namespace rankscope::ui
