// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/shared/fact_tables.h"

#include <QSignalBlocker>
#include <algorithm>
#include <cctype>
#include <charconv>
#include <initializer_list>
#include <string_view>
#include <utility>

#include "core/analysis/pipeline/pipeline.h"
#include "core/base/format.h"
#include "core/base/number_spans.h"
#include "core/report/companions/companion_tables.h"
#include "core/report/tables/run_tables.h"
#include "ui/theme/core_text.h"

namespace rankscope::ui {
namespace {

/// The first column of a table with one of these keys; nothing if there is none.
std::optional<std::size_t> columnOf(const report::DataTable& table, std::initializer_list<std::string_view> keys) {
    for (const std::string_view key : keys) {
        const auto at = std::ranges::find(table.columns, key, &report::Column::key);
        if (at != table.columns.end()) {
            return static_cast<std::size_t>(at - table.columns.begin());
        }
    }
    return std::nullopt;
}

std::optional<std::int64_t> wholeIn(const std::vector<report::Cell>& row, std::optional<std::size_t> column) {
    const std::int64_t* const value = column ? std::get_if<std::int64_t>(&row[*column]) : nullptr;
    return value == nullptr ? std::nullopt : std::optional(*value);
}

std::optional<RankStepPosition> stepOf(const AnalysedRun& run, RankPosition rank, std::int64_t number) {
    const std::vector<RankStep>& steps = run.facts.ranks[rank].steps;
    const auto at = std::ranges::find(steps, number, &RankStep::index);
    return at == steps.end() ? std::nullopt : std::optional(RankStepPosition(at - steps.begin()));
}

std::vector<FactPlace> placesOf(const AnalysedRun& run, const report::DataTable& table) {
    const auto rank = columnOf(table, {"id", "longest_id"});
    const auto start = columnOf(table, {"start_ns", "longest_start_ns"});
    const auto length = columnOf(table, {"duration_ns", "longest_ns"});
    const auto step = columnOf(table, {"step"});
    std::vector<FactPlace> places;
    places.reserve(table.rows.size());
    for (const std::vector<report::Cell>& row : table.rows) {
        FactPlace& place = places.emplace_back();
        const std::optional<std::int64_t> position = wholeIn(row, rank);
        if (!position || *position < 0 || static_cast<std::size_t>(*position) >= run.facts.ranks.size()) {
            continue;
        }
        place.rank = RankPosition(*position);
        if (const std::optional<std::int64_t> number = wholeIn(row, step)) {
            place.step = stepOf(run, *place.rank, *number);
        }
        if (const std::optional<std::int64_t> start_ns = wholeIn(row, start)) {
            place.span = {*start_ns, *start_ns + wholeIn(row, length).value_or(0)};
        }
    }
    return places;
}

/// Whether each row has a rank number in the column with this key.
bool isNumbered(const report::DataTable& table, std::string_view key) {
    const auto rank = columnOf(table, {key});
    return rank && std::ranges::all_of(table.rows, [&](const std::vector<report::Cell>& row) {
               return wholeIn(row, rank).has_value();
           });
}

/// Rewrites numbers separated by spaces, as the report files contain them, as the list used in all texts: "0 to 3".
/// Leaves other text unchanged, and lists that are too long to show whole.
void tellAsList(report::Cell& cell) {
    const auto* const digits = std::get_if<std::string>(&cell);
    if (digits == nullptr || digits->find_first_not_of("0123456789 ") != std::string::npos) {
        return;
    }
    std::vector<std::int64_t> numbers;
    for (std::size_t at = 0; at < digits->size();) {
        const std::size_t end = std::min(digits->find(' ', at), digits->size());
        std::int64_t number = 0;
        if (std::from_chars(digits->data() + at, digits->data() + end, number).ptr != digits->data() + end) {
            return;
        }
        numbers.push_back(number);
        at = end + 1;
    }
    if (!spansOf(numbers).many()) {
        cell = formatNumberList(std::move(numbers));
    }
}

/// Replaces the machine-readable word for a schedule by its name in all texts.
void tellSchedule(report::Cell& cell) {
    for (const Schedule schedule :
         {Schedule::GPipe, Schedule::OneFOneB, Schedule::Interleaved, Schedule::ZeroBubble, Schedule::DualPipe}) {
        if (cell == report::Cell(std::string(scheduleName(schedule)))) {
            cell = std::string(scheduleTitle(schedule));
            return;
        }
    }
}

/// Rewrites the cells of columns that are machine-readable lists and words as the text shown to people.
void tellToPeople(report::DataTable& table) {
    for (std::size_t column = 0; column < table.columns.size(); ++column) {
        const std::string& key = table.columns[column].key;
        const bool is_list = table.columns[column].unit == report::Unit::Text &&
                             (key == "ranks" || key == "ids" || key == "paying_ids" || key == "steps");
        for (std::vector<report::Cell>& row : table.rows) {
            if (is_list) {
                tellAsList(row[column]);
            } else if (key == "schedule") {
                tellSchedule(row[column]);
            } else if (auto* const title = std::get_if<std::string>(&row[column]);
                       table.name == "rank_statistics" && key == "title" && title != nullptr && !title->empty()) {
                title->front() = static_cast<char>(std::toupper(static_cast<unsigned char>(title->front())));
            }
        }
    }
}

/// The columns worth showing here: positions of ranks only if these have no numbers.
report::DataTable shown(const report::DataTable& table) {
    const bool numbered = isNumbered(table, "rank");
    const bool critical_numbered = isNumbered(table, "critical_rank");
    std::vector<std::string_view> keys;
    for (const report::Column& column : table.columns) {
        const bool is_told = (column.key == "id" && numbered) || (column.key == "critical_id" && critical_numbered);
        const bool is_key = column.key == "measure";  // key of a fact whose words are in another column
        if (column.key != "run" && !is_told && !is_key) {
            keys.emplace_back(column.key);
        }
    }
    report::DataTable shown = table.only(keys).withoutEmpty();
    tellToPeople(shown);
    for (report::Column& column : shown.columns) {  // like the titles of all tables here
        if (column.title.find('_') != std::string::npos) {
            continue;  // an option, as it is typed
        }
        column.title.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(column.title.front())));
    }
    return shown;
}

/// Where the collectives are that rows of companions are proven to be, else their ranks.
std::vector<FactPlace> placesOfCompanions(const AnalysedRun& run, const report::DataTable& table) {
    const auto rank = columnOf(table, {"rank"});
    const auto collective = columnOf(table, {"collective"});
    std::vector<FactPlace> places;
    places.reserve(table.rows.size());
    for (const std::vector<report::Cell>& row : table.rows) {
        FactPlace& place = places.emplace_back();
        const std::optional<std::int64_t> number = wholeIn(row, rank);
        for (RankPosition at{0}; number && at < run.run->ranks.size(); ++at) {
            const std::optional<RankNumber>& known = run.run->ranks[at]->rank;
            place.rank = known && known->value == *number ? std::optional(at) : place.rank;
        }
        const std::optional<std::int64_t> index = wholeIn(row, collective);
        if (place.rank && index) {
            const auto& all = run.facts.collectives.collectives;
            const CollectiveMember* const member = all.at(static_cast<std::size_t>(*index)).memberOf(*place.rank);
            const auto on_axis = [&](TimeNs file_ns) {
                return run.clock.ranks[*place.rank].toRun(FileTime(file_ns)) - run.clock.base_ns;
            };
            if (member != nullptr) {
                place.span = {on_axis(member->span.start_ns), on_axis(member->span.end_ns)};
            }
        }
    }
    return places;
}

}  // namespace

void offerFacts(QComboBox& box, const AnalysedRun* run, const JobCompanions& companions) {
    const QSignalBlocker quiet(&box);
    const QVariant chosen = box.currentData();
    box.clear();
    const auto tables = report::runTableList();
    for (std::size_t i = 0; i < tables.size(); ++i) {
        if (run == nullptr || tables[i].can_have == nullptr || tables[i].can_have(*run)) {
            box.addItem(coreText(tables[i].title), static_cast<uint>(i));
        }
    }
    for (std::size_t i = 0; i < report::kCompanionTitles.size(); ++i) {
        if (report::isTableOfDumps(i) ? companions.dumps != nullptr : companions.logs != nullptr) {
            box.addItem(coreText(report::kCompanionTitles[i]), static_cast<uint>(tables.size() + i));
        }
    }
    box.setCurrentIndex(std::max(0, chosen.isValid() ? box.findData(chosen) : 0));
}

FactTable makeFacts(const AnalysedRun& run, std::size_t which, const JobCompanions& companions) {
    const std::size_t of_runs = report::runTableList().size();
    if (which >= of_runs) {
        const report::DataTable table =
            report::dataTableOf(report::companionTables(companions)[which - of_runs], {&run});
        return {shown(table), placesOfCompanions(run, table)};
    }
    const report::DataTable table = report::runTableList()[which].make(run);
    return {shown(table), placesOf(run, table)};
}

}  // namespace rankscope::ui
