// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/compare/compare_table.h"

#include <cmath>
#include <cstdlib>

#include "core/base/time.h"
#include "ui/theme/core_text.h"

namespace rankscope::ui {
namespace {

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

}  // namespace

CompareTable::CompareTable(const QString& name, const Theme& theme, QWidget* parent)
    : SortedTable(name, new DifferenceModel(theme), parent) {}

}  // namespace rankscope::ui
