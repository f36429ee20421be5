// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/query/answer.h"

#include <algorithm>
#include <iterator>
#include <memory>
#include <utility>

#include "core/tables/selection_table.h"

namespace rankscope::ui {
namespace {

/// The column of a table that a column of an answer comes from; nullptr if it is computed.
const tables::Column* declarationOf(const query::Origin& origin, const std::vector<tables::Table>& all) {
    const auto table = std::ranges::find(all, origin.table, &tables::Table::name);
    if (table == all.end()) {
        return nullptr;
    }
    const auto column = std::ranges::find(table->columns, origin.column, &tables::Column::name);
    return column == table->columns.end() ? nullptr : &*column;
}

/// What a column names: by the column of a table that it comes from, else by its title.
ColumnKey keyOf(const std::string& title, const query::Origin& origin, const tables::Column* from) {
    const bool is_slice = origin.column == "id" && (origin.table == "slice" || origin.table == tables::kSelectionTable);
    if (is_slice || (from != nullptr && from->meaning.starts_with("slice.id"))) {
        return ColumnKey::Slice;
    }
    const std::string& name = from != nullptr ? from->name : title;
    if (name == "rank" || name == "step") {
        return name == "rank" ? ColumnKey::Rank : ColumnKey::Step;
    }
    return from == nullptr && name == "slice_id" ? ColumnKey::Slice : ColumnKey::None;
}

std::optional<RankStepPosition> stepOf(const AnalysedRun& run, RankPosition rank, std::int64_t number) {
    const std::vector<RankStep>& steps = run.facts.ranks[rank].steps;
    const auto at = std::ranges::find(steps, number, &RankStep::index);
    return at == steps.end() ? std::nullopt : std::optional(RankStepPosition(at - steps.begin()));
}

}  // namespace

tables::Runs plainRuns(const OpenRuns& runs) {
    tables::Runs plain;
    std::ranges::transform(runs, std::back_inserter(plain), &std::shared_ptr<const AnalysedRun>::get);
    return plain;
}

Answer::Answer(OpenRuns runs) : runs_(std::move(runs)), places_(plainRuns(runs_)) {}

void Answer::setColumns(const std::vector<std::string>& titles, const std::vector<query::Origin>& origins,
                        const std::vector<tables::Table>& all) {
    for (std::size_t i = 0; i < titles.size(); ++i) {
        const tables::Column* const from = declarationOf(origins[i], all);
        AnswerColumn& column = columns_.emplace_back();
        column.title = titles[i];
        column.meaning = from == nullptr ? std::string() : from->meaning;
        column.key = keyOf(titles[i], origins[i], from);
    }
}

bool Answer::add(std::span<const tables::Value> cells) {
    using Kind = tables::Value::Kind;
    if (rows() == kMostRows || text_bytes_ > kMostTextBytes) {
        has_more_ = true;
        return false;
    }
    for (std::size_t i = 0; i < cells.size(); ++i) {
        tables::Value& kept = cells_.emplace_back(cells[i]);
        AnswerColumn& column = columns_[i];
        column.has_number |= kept.kind == Kind::Integer || kept.kind == Kind::Real;
        if (kept.kind == Kind::Integer) {
            column.least = std::min(column.least, kept.integer);
            column.most = std::max(column.most, kept.integer);
        } else if (kept.kind == Kind::Text) {
            const auto [at, is_new] = texts_.emplace(kept.text);
            text_bytes_ += is_new ? at->size() : 0;
            kept.text = *at;
            column.has_text = true;
        }
    }
    return true;
}

std::optional<std::size_t> Answer::find(std::string_view title) const {
    const auto at = std::ranges::find(columns_, title, &AnswerColumn::title);
    return at == columns_.end() ? std::nullopt : std::optional(static_cast<std::size_t>(at - columns_.begin()));
}

std::optional<std::int64_t> Answer::wholeAt(std::size_t row, std::optional<std::size_t> column) const {
    const bool is_whole = column && cell(row, *column).kind == tables::Value::Kind::Integer;
    return is_whole ? std::optional(cell(row, *column).integer) : std::nullopt;
}

std::optional<SliceSelection> Answer::sliceAt(std::size_t row, std::size_t column) const {
    const std::optional<std::int64_t> id = wholeAt(row, column);
    if (columns_[column].key != ColumnKey::Slice || !id || *id < 0 ||
        static_cast<std::uint64_t>(*id) >= places_.slices()) {
        return std::nullopt;
    }
    const auto [on, slice] = places_.find(static_cast<std::uint64_t>(*id));
    const auto run = std::ranges::find(runs_, on->run, &std::shared_ptr<const AnalysedRun>::get);
    return SliceSelection{static_cast<std::uint32_t>(run - runs_.begin()), on->rank, {on->track, slice}};
}

std::optional<SliceSelection> Answer::sliceOf(std::size_t row) const {
    for (std::size_t column = 0; column < columns_.size(); ++column) {
        if (auto slice = sliceAt(row, column)) {
            return slice;
        }
    }
    return std::nullopt;
}

std::optional<std::uint32_t> Answer::runOf(std::size_t row) const {
    if (runs_.size() == 1) {
        return 0;
    }
    if (const auto slice = sliceOf(row)) {
        return slice->run;
    }
    const std::optional<std::size_t> column = find("run");
    if (!column || cell(row, *column).kind != tables::Value::Kind::Text) {
        return std::nullopt;
    }
    std::optional<std::uint32_t> found;
    for (std::uint32_t run = 0; run < runs_.size(); ++run) {
        if (runs_[run]->run->name == cell(row, *column).text) {
            if (found) {
                return std::nullopt;  // two runs have this name
            }
            found = run;
        }
    }
    return found;
}

std::optional<RankPlace> Answer::rankNumbered(std::size_t row, std::int64_t number) const {
    const std::optional<std::uint32_t> run = runOf(row);
    if (!run) {
        return std::nullopt;
    }
    const auto& ranks = runs_[*run]->run->ranks;
    for (RankPosition rank{0}; rank < ranks.size(); ++rank) {
        if (ranks[rank]->rank && ranks[rank]->rank->value == number) {
            return RankPlace{*run, rank};
        }
    }
    return std::nullopt;
}

std::optional<RankPlace> Answer::rankOf(std::size_t row) const {
    const auto column = std::ranges::find(columns_, ColumnKey::Rank, &AnswerColumn::key);
    if (column != columns_.end()) {
        const auto number = wholeAt(row, static_cast<std::size_t>(column - columns_.begin()));
        return number ? rankNumbered(row, *number) : std::nullopt;
    }
    const std::optional<SliceSelection> slice = sliceOf(row);
    return slice ? std::optional(RankPlace{slice->run, slice->rank}) : std::nullopt;
}

std::optional<RankStepPlace> Answer::stepNumbered(std::size_t row, std::int64_t number) const {
    if (const std::optional<RankPlace> of = rankOf(row)) {
        const std::optional<RankStepPosition> step = stepOf(*runs_[of->run], of->rank, number);
        return step ? std::optional(RankStepPlace{*of, *step}) : std::nullopt;
    }
    const std::optional<std::uint32_t> run = runOf(row);
    for (RankPosition rank{0}; run && rank < runs_[*run]->facts.ranks.size(); ++rank) {
        if (const std::optional<RankStepPosition> step = stepOf(*runs_[*run], rank, number)) {
            return RankStepPlace{{*run, rank}, *step};  // the first rank that has it
        }
    }
    return std::nullopt;
}

CellTarget Answer::targetOf(std::size_t row, std::size_t column) const {
    const auto target = [](const auto& found) { return found ? CellTarget(*found) : CellTarget(); };
    const std::optional<std::int64_t> number = wholeAt(row, column);
    if (!number) {
        return {};
    }
    switch (columns_[column].key) {
        case ColumnKey::Slice: return target(sliceAt(row, column));
        case ColumnKey::Rank: return target(rankNumbered(row, *number));
        case ColumnKey::Step: return target(stepNumbered(row, *number));
        case ColumnKey::None: break;
    }
    return {};
}

std::optional<TimeSpan> Answer::spanOf(std::size_t row) const {
    const std::optional<std::int64_t> start = wholeAt(row, find("start_ns"));
    const std::optional<std::int64_t> end = wholeAt(row, find("end_ns"));
    const std::optional<std::int64_t> length = wholeAt(row, find("dur_ns"));
    if (!start || (!end && !length)) {
        return std::nullopt;
    }
    constexpr std::int64_t kFarthest = 1'000'000'000'000'000'000;  // 32 years: no trace has such a time
    const auto is_time = [](std::int64_t ns) { return ns >= -kFarthest && ns <= kFarthest; };
    if (!is_time(*start) || !is_time(end.value_or(0)) || !is_time(length.value_or(0))) {
        return std::nullopt;
    }
    const std::int64_t until = end ? *end : *start + *length;
    return until < *start ? std::nullopt : std::optional(TimeSpan{*start, until});
}

}  // namespace rankscope::ui
