// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <variant>
#include <vector>

#include "core/query/database.h"
#include "core/tables/slice_places.h"
#include "ui/panels/shared/open_runs.h"
#include "ui/timeline/selection/selection.h"

namespace rankscope::ui {

/// The runs as tables take them; they must outlive what is made of it.
[[nodiscard]] tables::Runs plainRuns(const OpenRuns& runs);

/// A rank of an open run.
struct RankPlace {
    std::uint32_t run = 0;  ///< index among the open runs
    RankPosition rank;
    friend bool operator==(const RankPlace&, const RankPlace&) = default;
};
/// A step of a rank of an open run.
struct RankStepPlace {
    RankPlace of;
    RankStepPosition step;
    friend bool operator==(const RankStepPlace&, const RankStepPlace&) = default;
};
/// What a cell leads to; std::monostate for nothing.
using CellTarget = std::variant<std::monostate, SliceSelection, RankPlace, RankStepPlace>;

/// What the cells of a column name.
enum class ColumnKey : std::uint8_t { None, Slice, Rank, Step };

/// A column of an answer.
struct AnswerColumn {
    std::string title;    ///< as in the question
    std::string meaning;  ///< what its table says of it; empty if it is computed
    ColumnKey key = ColumnKey::None;
    bool has_text = false;    ///< in a cell
    bool has_number = false;  ///< in a cell
    std::int64_t least = 0;   ///< of the whole numbers in its cells, and of 0
    std::int64_t most = 0;    ///< of the whole numbers in its cells, and of 0
};

/// The rows of an answer, kept for the window, with the runs that they are about. Filled on a thread, then never
/// changed.
class Answer {
  public:
    static constexpr std::size_t kMostRows = 100'000;
    static constexpr std::size_t kMostTextBytes = 256'000'000;  ///< of different texts

    /// The answer to a question about these runs; all of them are analysed.
    explicit Answer(OpenRuns runs);

    /// Sets the columns. `all`: the tables that the question could use.
    void setColumns(const std::vector<std::string>& titles, const std::vector<query::Origin>& origins,
                    const std::vector<tables::Table>& all);
    /// Adds a row; false if there is no room for it, so that hasMore() is true.
    [[nodiscard]] bool add(std::span<const tables::Value> cells);

    /// The runs that it is about.
    [[nodiscard]] const OpenRuns& runs() const { return runs_; }
    /// Its columns, in their order.
    [[nodiscard]] const std::vector<AnswerColumn>& columns() const { return columns_; }
    /// The number of its rows.
    [[nodiscard]] std::size_t rows() const { return columns_.empty() ? 0 : cells_.size() / columns_.size(); }
    /// Whether the question has more rows than these.
    [[nodiscard]] bool hasMore() const { return has_more_; }
    /// A cell; its text lives as long as this.
    [[nodiscard]] const tables::Value& cell(std::size_t row, std::size_t column) const {
        return cells_[row * columns_.size() + column];
    }

    /// What a cell leads to. O(columns + steps of the rank).
    [[nodiscard]] CellTarget targetOf(std::size_t row, std::size_t column) const;
    /// The first slice that a row names.
    [[nodiscard]] std::optional<SliceSelection> sliceOf(std::size_t row) const;
    /// The rank that a row names, of its run; without a column for it, that of its slice. Nothing if several runs are
    /// open and the row does not say which it is about.
    [[nodiscard]] std::optional<RankPlace> rankOf(std::size_t row) const;
    /// The time of a row on the axis, by its cells `start_ns` and `end_ns` or `dur_ns`.
    [[nodiscard]] std::optional<TimeSpan> spanOf(std::size_t row) const;

  private:
    [[nodiscard]] std::optional<std::size_t> find(std::string_view title) const;
    [[nodiscard]] std::optional<std::int64_t> wholeAt(std::size_t row, std::optional<std::size_t> column) const;
    [[nodiscard]] std::optional<SliceSelection> sliceAt(std::size_t row, std::size_t column) const;
    /// The run that a row is about: that of its slice, else the one that it names, else the only one.
    [[nodiscard]] std::optional<std::uint32_t> runOf(std::size_t row) const;
    [[nodiscard]] std::optional<RankPlace> rankNumbered(std::size_t row, std::int64_t number) const;
    [[nodiscard]] std::optional<RankStepPlace> stepNumbered(std::size_t row, std::int64_t number) const;

    OpenRuns runs_;
    tables::SlicePlaces places_;
    std::vector<AnswerColumn> columns_;
    std::vector<tables::Value> cells_;       // row by row
    std::unordered_set<std::string> texts_;  // that cells refer to
    std::size_t text_bytes_ = 0;
    bool has_more_ = false;
};

}  // namespace rankscope::ui
