// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/query/asked_runs.h"

#include <utility>

#include "ui/panels/query/answer_uses.h"

namespace rankscope::ui {
namespace {

constexpr std::uint64_t kMostMemory = 2'000'000'000;  // bytes, for sorting and grouping

/// Keeps the rows of an answer.
class Keeper : public query::RowSink {
  public:
    Keeper(Answer& answer, const std::vector<tables::Table>& all, std::atomic<std::uint64_t>& rows)
        : answer_(answer), all_(all), rows_(rows) {}

    void origins(const std::vector<query::Origin>& of) override { origins_ = of; }
    void begin(const std::vector<std::string>& columns) override { answer_.setColumns(columns, origins_, all_); }
    bool row(std::span<const tables::Value> cells) override {
        rows_.fetch_add(1, std::memory_order_relaxed);
        return answer_.add(cells);
    }

  private:
    Answer& answer_;
    const std::vector<tables::Table>& all_;
    std::atomic<std::uint64_t>& rows_;
    std::vector<query::Origin> origins_;
};

}  // namespace

Asked AskedRuns::ask(const std::string& sql, const AskedArea& area, std::atomic<std::uint64_t>& rows,
                     const std::stop_token& stop) {
    using Clock = std::chrono::steady_clock;
    const Clock::time_point begun = Clock::now();
    if (database_ == nullptr) {
        database_ = std::make_unique<query::Database>(
            plainRuns(runs_), companions_, std::vector{tables::selectionTable([this] { return area_.area; })});
    }
    if (std::exchange(area_, area).revision != area.revision) {
        database_->renew(tables::kSelectionTable);
    }
    auto answer = std::make_shared<Answer>(runs_);
    Keeper keeper(*answer, database_->tables(), rows);
    const Result<std::uint64_t> found = database_->ask(sql, keeper, {std::nullopt, kMostMemory}, stop);
    Asked asked;
    asked.took = Clock::now() - begun;
    if (found.failed()) {
        asked.error = found.error();
    } else if (found.ok()) {
        asked.marks = marksOf(*answer);
        asked.answer = std::move(answer);
    }
    return asked;
}

}  // namespace rankscope::ui
