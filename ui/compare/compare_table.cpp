// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/compare/compare_table.h"

#include <QLocale>
#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "core/base/time.h"
#include "ui/theme/core_text.h"

namespace rankscope::ui {
namespace {

constexpr DurationNs kWorthColour = 1'000;  // old files have no better resolution

/// Colours differences: green for less, red for more, none where the change is uncertain. Counts per step have decimals
/// only if they are not whole, and a finding's change is in words ("cannot tell").
class DifferenceModel : public DataTableModel {
  public:
    using DataTableModel::DataTableModel;

    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override {
        if (role == Qt::ForegroundRole && index.isValid() && unitOf(index.column()) == report::Unit::SignedDuration) {
            const auto* ns = std::get_if<std::int64_t>(&cell(index.row(), index.column()));
            if (ns != nullptr && std::abs(*ns) >= kWorthColour && judged(index.row())) {
                return *ns > 0 ? theme().severity_high : theme().overlap;
            }
        }
        if (role == Qt::DisplayRole && index.isValid() && unitOf(index.column()) == report::Unit::Decimal) {
            if (const auto* count = std::get_if<double>(&cell(index.row(), index.column()))) {
                return QLocale(QLocale::English).toString(*count, 'f', *count == std::round(*count) ? 0 : 1);
            }
        }
        if (role == Qt::DisplayRole && index.isValid() && table()->columns[column(index)].key == "change") {
            const QString words = DataTableModel::data(index, role).toString();
            return speaksAnotherLanguage() ? words : QString(words).replace(QLatin1Char('-'), QLatin1Char(' '));
        }
        return DataTableModel::data(index, role);
    }

  private:
    /// Whether a row's change is certain; true for rows that are not about a finding.
    [[nodiscard]] bool judged(int row) const {
        const auto change = std::ranges::find(table()->columns, "change", &report::Column::key);
        const auto* word =
            change == table()->columns.end()
                ? nullptr
                : std::get_if<std::string>(&cell(row, static_cast<int>(change - table()->columns.begin())));
        return word == nullptr || *word != "cannot-tell";
    }
    [[nodiscard]] static std::size_t column(const QModelIndex& index) {
        return static_cast<std::size_t>(index.column());
    }
    [[nodiscard]] report::Unit unitOf(int column) const {
        return table()->columns[static_cast<std::size_t>(column)].unit;
    }
};

}  // namespace

CompareTable::CompareTable(const QString& name, const Theme& theme, QWidget* parent)
    : SortedTable(name, new DifferenceModel(theme), parent) {}

}  // namespace rankscope::ui
