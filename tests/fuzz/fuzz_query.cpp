// SPDX-License-Identifier: GPL-3.0-or-later
// A question in SQL of a small simulated run. Whatever it is, it ends soon, and changes nothing.
#include <chrono>

#include "core/query/database.h"
#include "tests/fuzz/targets.h"
#include "tests/fuzz/way_through.h"

namespace rankscope::fuzz {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kTime(200);
constexpr std::chrono::seconds kSoon(10);  // a busy machine, under sanitizers
constexpr std::uint64_t kMemory = 64'000'000;
constexpr std::uint64_t kRows = 1'000;

/// Looks at all cells of the first rows.
class Looker : public query::RowSink {
  public:
    void begin(const std::vector<std::string>& columns) override { columns_ = columns.size(); }
    bool row(std::span<const tables::Value> cells) override {
        demand(cells.size() == columns_, "a row has a cell a column");
        for (const tables::Value& cell : cells) {
            bytes_ += cell.kind == tables::Value::Kind::Text ? std::string(cell.text).size() : 1;
        }
        return ++rows_ < kRows;
    }

  private:
    std::size_t columns_ = 0;
    std::size_t bytes_ = 0;
    std::uint64_t rows_ = 0;
};

std::uint64_t slicesIn(query::Database& database) {
    class Count : public query::RowSink {
      public:
        void begin(const std::vector<std::string>& /*columns*/) override {}
        bool row(std::span<const tables::Value> cells) override {
            counted = static_cast<std::uint64_t>(cells[0].integer);
            return true;
        }
        std::uint64_t counted = 0;
    } count;
    demand(database.ask("SELECT count(*) FROM slice", count).ok(), "a right question is answered");
    return count.counted;
}

}  // namespace

void fuzzQuery(Input input) {
    static const std::unique_ptr<AnalysedRun> run = smallRun();
    static query::Database database({run.get()});
    static const std::uint64_t slices = slicesIn(database);
    Looker looker;
    const Clock::time_point start = Clock::now();
    const Result<std::uint64_t> answer = database.ask(textOf(input), looker, {kTime, kMemory});
    demand(Clock::now() - start < kSoon, "a question ends at its limit of time");
    demand(!answer.failed() || !answer.error().cause.empty(), "a refused question has a reason");
    demand(!answer.cancelled(), "nobody cancelled it");
    demand(slicesIn(database) == slices, "a question changes nothing");
}

}  // namespace rankscope::fuzz
