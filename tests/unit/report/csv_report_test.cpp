// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/reports.h"

#include "core/report/tables/run_tables.h"
#include "tests/support/testing.h"
#include "tests/unit/report/report_parts.h"
#include "tests/unit/report/sample_run.h"

namespace rankscope::test {
namespace {

using CsvRow = std::map<std::string, std::string>;  ///< by column

/// Reads RFC 4180 back: fields of one line a row, quoted ones with anything in them.
std::vector<std::vector<std::string>> fieldsOf(const std::string& text) {
    std::vector<std::vector<std::string>> rows;
    std::vector<std::string> row(1);
    bool quoted = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (quoted && text[i] == '"' && i + 1 < text.size() && text[i + 1] == '"') {
            row.back() += text[++i];
        } else if (text[i] == '"') {
            quoted = !quoted;
        } else if (!quoted && text[i] == ',') {
            row.emplace_back();
        } else if (!quoted && text[i] == '\r') {
            EXPECT_EQ(text.at(++i), '\n');
            rows.push_back(std::move(row));
            row.assign(1, "");
        } else {
            row.back() += text[i];
        }
    }
    EXPECT_FALSE(quoted);
    EXPECT_EQ(row, std::vector<std::string>{""}) << "the last line is not ended";
    return rows;
}

std::vector<CsvRow> rowsOf(const ReportInput& input, const std::string& name) {
    const std::vector<CsvFile> files = csvReport(input);
    const auto file = std::ranges::find(files, name + ".csv", &CsvFile::name);
    if (file == files.end()) {
        ADD_FAILURE() << "there is no " << name;
        return {};
    }
    const auto fields = fieldsOf(file->text);
    std::vector<CsvRow> rows;
    for (std::size_t i = 1; i < fields.size(); ++i) {
        EXPECT_EQ(fields[i].size(), fields[0].size()) << name << ", line " << i;
        for (std::size_t column = 0; column < fields[i].size(); ++column) {
            rows.resize(i);
            rows.back()[fields[0][column]] = fields[i][column];
        }
    }
    return rows;
}

std::vector<CsvRow> rowsOf(const AnalysedRun& run, const std::string& name) {
    return rowsOf(ReportInput{{&run}, {}}, name);
}

/// A value of the JSON as CSV has it.
std::string fieldOf(const json& value) {
    return value.is_null() ? "" : value.is_string() ? value.get<std::string>() : value.dump();
}

/// Each column that the JSON has too holds the same.
void expectSame(const CsvRow& row, const json& meant, std::size_t least) {
    std::size_t same = 0;
    for (const auto& [key, field] : row) {
        if (meant.contains(key) && !meant[key].is_structured()) {
            if (meant[key].is_number_float()) {
                EXPECT_EQ(std::stod(field), meant[key].get<double>()) << key;
            } else {
                EXPECT_EQ(field, fieldOf(meant[key])) << key;
            }
            ++same;
        }
    }
    EXPECT_GE(same, least);
}

TEST(CsvReport, StepsAreThoseOfTheJson) {
    const AnalysedRun run = sampleRun();
    const std::vector<CsvRow> rows = rowsOf(run, "steps");
    const json steps = runJson(run)["steps"];
    ASSERT_EQ(rows.size(), 3U);
    expectSame(rows[0], steps[0]["ranks"][0], 16);
    expectSame(rows[1], steps[0]["ranks"][1], 16);
    expectSame(rows[2], steps[1]["ranks"][0], 16);
    EXPECT_EQ(rows[2].at("step"), "6");
    EXPECT_EQ(rows[1].at("compute_ns"), "") << "no device work: not zero";
    expectSame(rowsOf(run, "run_steps")[1], steps[1], 4);
}

TEST(CsvReport, CausesAddUpToTheIdleTime) {
    const std::vector<CsvRow> rows = rowsOf(sampleRun(), "idle_causes");
    ASSERT_EQ(rows.size(), 2U) << "rank 3 has no device work";
    EXPECT_EQ(rows[0].at("dataloader_ns"), "600");
    EXPECT_EQ(rows[0].at("launch_latency_ns"), "50");
    std::int64_t sum = 0;
    for (const auto& [key, field] : rows[0]) {
        sum += key.ends_with("_ns") && key != "idle_ns" ? std::stoll(field) : 0;
    }
    EXPECT_EQ(std::to_string(sum), rows[0].at("idle_ns"));
}

TEST(CsvReport, FindingsAndTheirEvidenceAreThoseOfTheJson) {
    const AnalysedRun run = sampleRun();
    const json finding = runJson(run)["findings"][0];
    const std::vector<CsvRow> findings = rowsOf(run, "findings");
    ASSERT_EQ(findings.size(), 1U);
    expectSame(findings[0], finding, 7);
    EXPECT_EQ(findings[0].at("finding_id"), "dataloader-stall");
    EXPECT_EQ(findings[0].at("share"), "0.3");
    EXPECT_EQ(findings[0].at("paying_ids"), "1");
    const std::vector<CsvRow> evidence = rowsOf(run, "evidence");
    ASSERT_EQ(evidence.size(), 2U);
    expectSame(evidence[0], finding["evidence"][0], 11);
    expectSame(evidence[1], finding["evidence"][1], 11);
    EXPECT_EQ(rowsOf(run, "cannot_tell")[0].at("record"), "Record all ranks.");
}

TEST(CsvReport, TheCostOfARemedyIsThatOfTheJson) {
    AnalysedRun run = sampleRun();
    EXPECT_EQ(rowsOf(run, "findings")[0].at("remedy_cost_ns"), "") << "no cost is known";
    run.diagnosis.findings[0].cost = RemedyCost{RemedyKind::FirstWorkers, -3, 40, 500, {}};
    const CsvRow row = rowsOf(run, "findings")[0];
    const json cost = runJson(run)["findings"][0]["remedy_cost"];
    EXPECT_EQ(row.at("remedy_cost_ns"), fieldOf(cost["likely_ns"]));
    EXPECT_EQ(row.at("remedy_cost_low_ns"), fieldOf(cost["low_ns"]));
    EXPECT_EQ(row.at("remedy_cost_high_ns"), fieldOf(cost["high_ns"]));
}

TEST(CsvReport, HasYesOrNoForAnUpperBoundAndSeparatesTheNumberOfAFindingFromItsName) {
    const AnalysedRun run = sampleRun();
    const report::DataTable findings = report::findingsTable(run);
    const auto at_most =
        std::ranges::find(findings.columns, "at_most", &report::Column::key) - findings.columns.begin();
    const report::Cell& cell = findings.rows[0][static_cast<std::size_t>(at_most)];
    EXPECT_EQ(report::cellText(cell, report::Unit::Flag), "no");
    EXPECT_EQ(rowsOf(run, "findings")[0].at("at_most"), "false") << "programs read it as before";
    std::set<std::string> titles;
    for (const report::Column& column : report::evidenceTable(run).columns) {
        EXPECT_TRUE(titles.insert(column.title).second) << column.title << " twice";
    }
}

TEST(CsvReport, RanksClocksAndHealthAreThoseOfTheJson) {
    const AnalysedRun run = sampleRun();
    const json ranks = runJson(run)["ranks"];
    for (std::size_t position = 0; position < 2; ++position) {
        expectSame(rowsOf(run, "ranks")[position], ranks[position], 5);
        expectSame(rowsOf(run, "clocks")[position], ranks[position]["clock"], 5);
        expectSame(rowsOf(run, "health")[position], ranks[position]["health"], 11);
    }
    EXPECT_EQ(rowsOf(run, "ranks")[0].at("median_compute_ns"), "800");
    EXPECT_EQ(rowsOf(run, "ranks")[0].at("median_overlap_share"), "0.75");
}

TEST(CsvReport, ARankThatNoFindingBlamesHasNoValueThere) {
    AnalysedRun run = sampleRun();
    run.diagnosis.findings.clear();
    run.facts.stragglers.ranks.assign(run.run->ranks.size(), {});
    const std::vector<CsvRow> rows = rowsOf(run, "stragglers");
    ASSERT_EQ(rows.size(), run.run->ranks.size());
    EXPECT_EQ(rows[0].at("findings"), "");
}

TEST(CsvReport, TheTypicalStepOfEachRankIsATable) {
    const AnalysedRun run = sampleRun();
    const std::vector<CsvRow> rows = rowsOf(run, "typical_steps");
    ASSERT_EQ(rows.size(), 1U) << "only one has device work";
    EXPECT_EQ(rows[0].at("step_ns"), "1500");
}

TEST(CsvReport, PhasesAreThoseOfTheJson) {
    AnalysedRun run = sampleRun();
    RankPhases& phases = run.facts.ranks[0].phases;
    phases.told[Phase::Backward] = true;
    phases.steps.resize(2);
    phases.steps[0][Phase::Backward] = {700, 500, 600};
    phases.steps[1][Phase::Backward] = {710, 510, 610};
    const json backward = runJson(run)["phases"][1];
    ASSERT_EQ(backward["phase"], "backward");
    const std::vector<CsvRow> rows = rowsOf(run, "phases");
    ASSERT_EQ(rows.size(), 2U) << "only what is told";
    for (std::size_t step = 0; step < 2; ++step) {
        expectSame(rows[step], backward["ranks"][0]["steps"][step], 3);
        EXPECT_EQ(rows[step].at("phase"), "backward");
    }
    const std::vector<CsvRow> statistics = rowsOf(run, "phase_statistics");
    ASSERT_EQ(statistics.size(), 1U);
    EXPECT_EQ(statistics[0].at("host_median_ns"), backward["ranks"][0]["host"]["median_ns"].dump());
    EXPECT_EQ(statistics[0].at("device_max_ns"), backward["ranks"][0]["device"]["max_ns"].dump());
}

TEST(CsvReport, SeveralRunsShareAFile) {
    const AnalysedRun one = sampleRun();
    const AnalysedRun two = sampleRunWith([](auto& run, RankTrace&, RankTrace&) { run.name = "other"; });
    const ReportInput input{{&one, &two}, {{"gone.json", std::nullopt, "no such file"}}};
    const std::vector<CsvRow> rows = rowsOf(input, "ranks");
    ASSERT_EQ(rows.size(), 4U);
    EXPECT_EQ(rows[0].at("run"), "sample");
    EXPECT_EQ(rows[3].at("run"), "other");
    const std::vector<CsvRow> unreadable = rowsOf(input, "unreadable");
    ASSERT_EQ(unreadable.size(), 3U);
    EXPECT_EQ(unreadable[0].at("byte_offset"), "99");
    EXPECT_EQ(unreadable[2].at("path"), "gone.json");
    EXPECT_EQ(unreadable[2].at("run"), "");
}

TEST(CsvReport, AnyNameReadsBackAsItWas) {
    const std::string odd = "a,b \"quoted\"\r\nnext \xC2\xB5;\t";
    AnalysedRun run = sampleRunWith([&odd](auto& changed, RankTrace& rank, RankTrace&) {
        changed.name = odd;
        rank.tracks[0].slices.name[0] = rank.strings.intern(odd);
    });
    run.diagnosis.findings[0].title = "bad \xff byte";
    EXPECT_EQ(rowsOf(run, "evidence")[0].at("slice"), odd);
    EXPECT_EQ(rowsOf(run, "steps")[0].at("run"), odd);
    EXPECT_EQ(rowsOf(run, "findings")[0].at("title"), "bad \xEF\xBF\xBD byte");
}

TEST(CsvReport, ControlCharactersOfNamesDoNotReachATerminal) {
    const AnalysedRun run = sampleRunWith([](auto& changed, RankTrace&, RankTrace&) {
        changed.name =
            "a\x1b[2Jb\xC2\x9B"
            "c\nd\te";
    });
    EXPECT_EQ(rowsOf(run, "steps")[0].at("run"), "a?[2Jb?c\nd\te");
}

/// The sample run with one all-reduce of its two ranks.
AnalysedRun runWithACollective() {
    AnalysedRun run = sampleRun();
    Collective collective;
    collective.kind = CollectiveKind::AllReduce;
    collective.name = "allreduce";
    collective.complete = true;
    collective.bytes = 4000;
    collective.transfer_ns = 100;
    collective.bus_gb_per_s = 40.0;
    collective.members.resize(2);
    collective.members[0].span = {run.clock.base_ns, run.clock.base_ns + 300};
    collective.members[0].wait_ns = 200;
    collective.members[1].rank = RankPosition(1);
    collective.members[1].span = {run.clock.base_ns, run.clock.base_ns + 100};
    collective.members[1].wait_ns = 0;
    run.facts.collectives.groups.resize(1);
    run.facts.collectives.collectives = {collective};
    return run;
}

TEST(CsvReport, HasARowAMemberOfACollective) {
    const std::vector<CsvRow> rows = rowsOf(runWithACollective(), "collectives");
    ASSERT_EQ(rows.size(), 2U);
    EXPECT_EQ(rows[0].at("kind"), "all-reduce");
    EXPECT_EQ(rows[0].at("wait_ns"), "200");
    EXPECT_EQ(rows[1].at("wait_ns"), "0");
    EXPECT_EQ(rows[1].at("duration_ns"), "100");
    EXPECT_EQ(rows[1].at("bytes"), "4000");
}

TEST(CsvReport, ANameThatLooksLikeAFormulaIsNone) {
    AnalysedRun run = sampleRun();
    auto renamed = std::make_shared<rankscope::Run>(*run.run);
    renamed->name = "=HYPERLINK(\"x\")";
    run.run = renamed;
    for (const CsvRow& row : rowsOf(run, "steps")) {
        EXPECT_EQ(row.at("run"), "'=HYPERLINK(\"x\")");
        EXPECT_NE(row.at("compute_ns").substr(0, 1), "'");  // numbers stay numbers
    }
    EXPECT_FALSE(rowsOf(run, "steps").empty());
}

TEST(CsvReport, NamesEachOperatorAndKernelOfEachRank) {
    AnalysedRun run = sampleRun();
    const StringPool& strings = run.run->ranks[0]->strings;
    RankFacts& facts = run.facts.ranks[0];
    facts.operators.rows = {{.name = strings.find("enumerate(DataLoader)#__next__"), .calls = 2, .self_ns = 600}};
    facts.kernels.rows = {{.name = strings.find("gemm"), .work = WorkClass::Compute, .calls = 1, .busy_ns = 800}};
    facts.kernels.device_busy_ns = 1600;
    const std::vector<CsvRow> operators = rowsOf(run, "operators");
    ASSERT_EQ(operators.size(), 1U);
    EXPECT_EQ(operators[0].at("name"), "enumerate(DataLoader)#__next__");
    EXPECT_EQ(operators[0].at("self_ns"), "600");
    const std::vector<CsvRow> kernels = rowsOf(run, "kernels");
    ASSERT_EQ(kernels.size(), 1U);
    EXPECT_EQ(kernels[0].at("class"), "compute");
    EXPECT_EQ(kernels[0].at("share"), "0.5");
}

}  // namespace
}  // namespace rankscope::test
