// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/compute/statistics_table.h"

#include <cctype>
#include <cmath>

#include "core/base/format.h"
#include "core/report/tables/rank_statistics.h"
#include "core/report/words/vocabulary.h"
#include "ui/panels/shared/words.h"

namespace rankscope::ui {
namespace {

using report::Cell;
using report::RankStatistic;
using report::Unit;

constexpr int kFirstFigure = 1;  // columns of figures, the mean first
constexpr int kLastFigure = 5;   // the number of ranks

bool isFigureColumn(int column) {
    return column >= kFirstFigure && column <= kLastFigure;
}

/// A value in the unit of its statistic.
Cell figure(double value, Unit unit) {
    const bool whole = unit == Unit::Duration || unit == Unit::Bytes;
    return report::cellText(whole ? Cell(static_cast<std::int64_t>(std::llround(value))) : Cell(value), unit);
}

std::string withGreatLetter(std::string words) {
    words.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(words.front())));
    return words;
}

}  // namespace

report::DataTable statisticsTable(const AnalysedRun& run) {
    report::DataTable table{"rank_statistics",
                            {{"name", "Rank fact", Unit::Text},
                             {"mean", "Mean", Unit::Text},
                             {"min", "Min", Unit::Text},
                             {"max", "Max", Unit::Text},
                             {"std", "Deviation", Unit::Text},
                             {"ranks", "Ranks", Unit::Text},
                             {"worst", "Worst rank", Unit::Text}},
                            {}};
    if (run.run->ranks.size() < 2) {
        return table;
    }
    for (const RankStatistic& one : report::rankStatistics(run)) {
        table.rows.push_back({withGreatLetter(one.title), figure(one.mean, one.unit), figure(one.min, one.unit),
                              figure(one.max, one.unit), figure(one.deviation, one.unit),
                              formatCount(static_cast<std::uint64_t>(one.ranks)),
                              one.worst ? Cell(rankLabel(*run.run->ranks[*one.worst], *one.worst)) : Cell()});
    }
    return table;
}

std::vector<std::optional<RankPosition>> worstRanks(const AnalysedRun& run) {
    std::vector<std::optional<RankPosition>> worst;
    if (run.run->ranks.size() >= 2) {
        for (const RankStatistic& one : report::rankStatistics(run)) {
            worst.push_back(one.worst);
        }
    }
    return worst;
}

QVariant StatisticsModel::data(const QModelIndex& index, int role) const {
    if (index.isValid() && isFigureColumn(index.column())) {
        if (role == Qt::TextAlignmentRole) {
            return QVariant::fromValue(Qt::AlignRight | Qt::AlignVCenter);
        }
        if (role == Qt::FontRole) {
            return theme().mono_font;
        }
    }
    return DataTableModel::data(index, role);
}

QVariant StatisticsModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation == Qt::Horizontal && role == Qt::TextAlignmentRole && isFigureColumn(section)) {
        return QVariant::fromValue(Qt::AlignRight | Qt::AlignVCenter);
    }
    return DataTableModel::headerData(section, orientation, role);
}

}  // namespace rankscope::ui
