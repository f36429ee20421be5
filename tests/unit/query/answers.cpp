// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/unit/query/answers.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <iterator>

#include "tests/support/analysed.h"
#include "tests/support/real_traces.h"

namespace rankscope::test {
namespace {

class Keep : public query::RowSink {
  public:
    explicit Keep(Answer& into) : into_(into) {}
    void begin(const std::vector<std::string>& columns) override { into_.columns = columns; }
    bool row(std::span<const tables::Value> cells) override {
        std::vector<std::string>& row = into_.rows.emplace_back();
        for (const tables::Value& cell : cells) {
            using Kind = tables::Value::Kind;
            row.push_back(cell.kind == Kind::Null      ? "-"
                          : cell.kind == Kind::Integer ? std::to_string(cell.integer)
                          : cell.kind == Kind::Real    ? fmt::format("{}", cell.real)
                                                       : std::string(cell.text));
        }
        return true;
    }

  private:
    Answer& into_;
};

}  // namespace

Answer answerOf(query::Database& database, const std::string& sql, const query::Limits& limits) {
    Answer answer;
    Keep keep(answer);
    const Result<std::uint64_t> rows = database.ask(sql, keep, limits);
    answer.error = rows.failed() ? rows.error().text() : std::string();
    return answer;
}

long long numberOf(query::Database& database, const std::string& sql) {
    const Answer answer = answerOf(database, sql);
    if (answer.rows.size() != 1 || answer.rows.front().size() != 1) {
        ADD_FAILURE() << sql << ": " << answer.error << ", " << answer.rows.size() << " rows";
        return -1;
    }
    return std::stoll(answer.rows.front().front());
}

std::vector<AnalysedRun> someRuns() {
    std::vector<std::filesystem::path> paths = corpusRuns();
    if (const auto real = realTraces() / "resnet_ddp_4ranks_rocm"; std::filesystem::exists(real)) {
        paths.push_back(real);
    }
    std::vector<AnalysedRun> runs;
    for (const std::filesystem::path& path : paths) {
        std::ranges::move(loadAndAnalyseAll(path), std::back_inserter(runs));
    }
    return runs;
}

tables::Runs pointersTo(const std::vector<AnalysedRun>& runs) {
    tables::Runs pointers;
    std::ranges::transform(runs, std::back_inserter(pointers), [](const AnalysedRun& run) { return &run; });
    return pointers;
}

}  // namespace rankscope::test
