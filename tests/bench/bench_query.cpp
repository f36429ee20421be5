// SPDX-License-Identifier: GPL-3.0-or-later
//
// Questions over a run of two million slices, against the same question over a plain SQLite table of the same rows, in
// one run: three times as fast, and one of all names under 0.4 s (design, section 4). The rows are those of a sample,
// over and over: bench_query [MEGABYTES of JSON [SQL...]]; with questions, only their times.
#include <sqlite3.h>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "core/diagnosis/frame/analysed_run.h"
#include "core/ingest/load.h"
#include "core/query/database.h"
#include "tests/bench/repeat_trace.h"

namespace rankscope::bench {
namespace {

namespace fs = std::filesystem;
using query::Database;
using tables::Value;

constexpr std::uint64_t kMegabytes = 800;  // of JSON: some two million slices
constexpr int kTimes = 3;

struct Question {
    const char* name;
    const char* sql;
};

constexpr Question kByName = {"by name", "SELECT name, count(*), sum(dur_ns) FROM slice GROUP BY name"};
constexpr Question kAll[] = {
    kByName,
    {"longest", "SELECT id, name, dur_ns FROM slice ORDER BY dur_ns DESC LIMIT 10"},
    {"one name", "SELECT count(*), sum(dur_ns), max(dur_ns) FROM slice WHERE name = 'aten::conv2d'"},
    {"by step and class", "SELECT step, class, count(*), sum(dur_ns) FROM slice WHERE class IS NOT NULL GROUP BY 1, 2"},
    {"children", "SELECT p.name, sum(c.dur_ns) FROM slice c JOIN slice p ON p.id = c.parent GROUP BY p.name"}};

double processorSeconds() {
    return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

class Count : public query::RowSink {
  public:
    void begin(const std::vector<std::string>& /*columns*/) override {}
    bool row(std::span<const Value> cells) override {
        cells_ += cells.size();
        return true;
    }

  private:
    std::size_t cells_ = 0;
};

AnalysedRun longRun(std::uint64_t megabytes) {
    const fs::path file = fs::temp_directory_path() / ("rankscope-bench-query-" + std::to_string(megabytes) + ".json");
    const fs::path sample = fs::path(RANKSCOPE_SOURCE_DIR) / "resources/samples/ZeroWorkers";
    std::string first;
    for (const auto& entry : fs::directory_iterator(sample)) {
        const std::string path = entry.path().string();
        if (path.find("rank0") != std::string::npos) {
            first = path;
        }
    }
    repeatTraceToFile(readAll(first), megabytes * 1'000'000, file);
    LoadObserver nobody;
    Result<Run> run = loadRun(discoverRuns({file.string()}).runs.at(0), {}, nobody, {});
    return analyseRun(std::make_shared<const Run>(std::move(run).value()), {}, {}, {}).value();
}

/// The table `slice` in SQLite's own form, with an index of names and one of ids.
class PlainTable : public query::RowSink {
  public:
    explicit PlainTable(Database& from) {
        sqlite3_open(":memory:", &database_);
        const Result<std::uint64_t> rows = from.ask("SELECT * FROM slice", *this);
        sqlite3_finalize(insert_);
        sqlite3_exec(database_, "COMMIT", nullptr, nullptr, nullptr);
        std::printf("slices  %llu\n", static_cast<unsigned long long>(rows.value()));
    }
    PlainTable(const PlainTable&) = delete;
    PlainTable& operator=(const PlainTable&) = delete;
    ~PlainTable() override { sqlite3_close(database_); }

    void begin(const std::vector<std::string>& columns) override {
        std::string names;
        std::string values;
        for (const std::string& column : columns) {
            names += (names.empty() ? "" : ", ") + column + (column == "id" ? " INTEGER PRIMARY KEY" : "");
            values += values.empty() ? "?" : ", ?";
        }
        sqlite3_exec(database_, ("CREATE TABLE slice(" + names + ")").c_str(), nullptr, nullptr, nullptr);
        sqlite3_exec(database_, "BEGIN", nullptr, nullptr, nullptr);
        const std::string insert = "INSERT INTO slice VALUES (" + values + ")";
        sqlite3_prepare_v2(database_, insert.c_str(), -1, &insert_, nullptr);
    }
    bool row(std::span<const Value> cells) override {
        sqlite3_reset(insert_);
        for (int i = 0; i < static_cast<int>(cells.size()); ++i) {
            const Value& cell = cells[static_cast<std::size_t>(i)];
            switch (cell.kind) {
                case Value::Kind::Integer: sqlite3_bind_int64(insert_, i + 1, cell.integer); break;
                case Value::Kind::Real: sqlite3_bind_double(insert_, i + 1, cell.real); break;
                case Value::Kind::Text:
                    sqlite3_bind_text(insert_, i + 1, cell.text.data(), static_cast<int>(cell.text.size()),
                                      SQLITE_TRANSIENT);
                    break;
                case Value::Kind::Null: sqlite3_bind_null(insert_, i + 1); break;
            }
        }
        return sqlite3_step(insert_) == SQLITE_DONE;
    }
    void ask(const char* sql) {
        sqlite3_exec(
            database_, sql, [](void* /*unused*/, int, char**, char**) { return 0; }, nullptr, nullptr);
    }

  private:
    sqlite3* database_ = nullptr;
    sqlite3_stmt* insert_ = nullptr;
};

template <class Ask>
double leastSeconds(const Ask& ask) {
    double least = std::numeric_limits<double>::max();
    for (int i = 0; i < kTimes; ++i) {
        const double start = processorSeconds();
        ask();
        least = std::min(least, processorSeconds() - start);
    }
    return least;
}

/// Prints how long each of these questions takes.
int measureThese(Database& database, const std::vector<std::string>& questions) {
    for (const std::string& sql : questions) {
        Count sink;
        const double first = processorSeconds();
        const Result<std::uint64_t> rows = database.ask(sql, sink);
        const double once = processorSeconds() - first;
        const double least = leastSeconds([&] { (void)database.ask(sql, sink).ok(); });
        std::printf("%s\n  rows  %llu, s  %.3f, the first time  %.3f\n", sql.c_str(),
                    static_cast<unsigned long long>(rows.ok() ? rows.value() : 0), least, once);
    }
    return 0;
}

int measure(std::uint64_t megabytes, const std::vector<std::string>& questions) {
    (void)std::setvbuf(stdout, nullptr, _IOLBF, 0);  // what is done is seen at once
    const AnalysedRun run = longRun(megabytes);
    Database database({&run});
    if (!questions.empty()) {
        return measureThese(database, questions);
    }
    PlainTable plain(database);
    const double start = processorSeconds();
    Count sink;
    (void)database.ask(kByName.sql, sink).ok();
    std::printf("by name, the first time: s  %.3f\n", processorSeconds() - start);
    for (const Question& question : kAll) {
        const double own = leastSeconds([&] { (void)database.ask(question.sql, sink).ok(); });
        const double sqlite = leastSeconds([&] { plain.ask(question.sql); });
        std::printf("%s: s  %.3f\n", question.name, own);
        std::printf("%s: a plain SQLite table's time over it  %.2f\n", question.name, sqlite / own);
    }
    return 0;
}

}  // namespace
}  // namespace rankscope::bench

int main(int argc, char** argv) {
    return rankscope::bench::measure(argc > 1 ? std::stoull(argv[1]) : rankscope::bench::kMegabytes,
                                     std::vector<std::string>(argv + std::min(argc, 2), argv + argc));
}
