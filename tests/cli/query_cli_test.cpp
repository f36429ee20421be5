// SPDX-License-Identifier: GPL-3.0-or-later
//
// Questions in SQL, asked of the real program: the examples of the documentation, and what is wrong with a question.

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "app/exit_code.h"
#include "tests/cli/run_cli.h"
#include "tests/support/places.h"
#include "tests/support/process.h"
#include "tests/support/real_traces.h"
#include "tests/support/temp_files.h"
#include "tests/support/testing.h"

namespace rankscope::test {
namespace {

std::string sampleOfQuestions() {
    return sourceFolder() / "resources/samples/ZeroWorkers";
}

std::string pageOfQuestions() {
    return sourceFolder() / "docs/query.md";
}

/// The SQL of each example, in their order.
std::vector<std::string> examplesOfQuestions() {
    std::ifstream file(pageOfQuestions());
    std::vector<std::string> examples;
    bool inside = false;
    for (std::string line; std::getline(file, line);) {
        if (line == "```sql") {
            examples.emplace_back();
            inside = true;
        } else if (line == "```") {
            inside = false;
        } else if (inside) {
            examples.back() += line + '\n';
        }
    }
    return examples;
}

TEST(QueryCommand, AnswersEachExampleOfItsPageInUnderTenLines) {
    const std::vector<std::string> examples = examplesOfQuestions();
    EXPECT_EQ(examples.size(), 20U);
    for (const std::string& sql : examples) {
        EXPECT_LT(std::ranges::count(sql, '\n'), 10) << sql;
        const ProcessResult result = cli({"query", sampleOfQuestions(), sql});
        EXPECT_EQ(result.code, kDone) << sql << result.err;
    }
}

TEST(QueryCommand, AnswersAsTheFilesDoThatPythonReads) {
    std::vector<std::string> folders = {sampleOfQuestions()};
    if (const auto real = realTraces() / "resnet_ddp_4ranks_rocm"; std::filesystem::exists(real)) {
        folders.push_back(real.string());
    }
    for (const char* const with_memory : {"timesformer_h100.json.gz", "timesformer_mi300.json.gz"}) {
        if (const auto file = realTraces() / "tracelens" / with_memory; std::filesystem::exists(file)) {
            folders.push_back(file.string());
        }
    }
    for (const std::string& folder : folders) {
        const ProcessResult checked = runProcess({"python3", (sourceFolder() / "tests/cli/check_query.py").string(),
                                                  RANKSCOPE_CLI, pageOfQuestions(), folder});
        if (checked.code == kNoProgram) {
            GTEST_SKIP() << "skipped: no python3";
        }
        EXPECT_EQ(checked.code, 0) << folder << ": " << checked.err;
    }
}

TEST(QueryCommand, PrintsATableCsvJsonOrAnObjectALine) {
    const std::string sql = "SELECT 1 AS a, 'x, \"y\"' AS b, NULL AS c, 0.5 AS d UNION ALL SELECT 22, 'z', 3, 1e300";
    const auto asked = [&](const std::string& format) {
        return cli({"query", sampleOfQuestions(), sql, "--format", format}).out;
    };
    EXPECT_EQ(asked("table"), " a  b       c       d\n 1  x, \"y\"  -     0.5\n22  z       3  1e+300\n");
    EXPECT_EQ(asked("csv"), "a,b,c,d\r\n1,\"x, \"\"y\"\"\",,0.5\r\n22,z,3,1e+300\r\n");
    const auto objects = nlohmann::json::parse(asked("json"));
    EXPECT_EQ(objects, nlohmann::json::parse(R"([{"a": 1, "b": "x, \"y\"", "c": null, "d": 0.5},
                                                 {"a": 22, "b": "z", "c": 3, "d": 1e300}])"));
    std::istringstream lines(asked("ndjson"));
    for (std::string line; std::getline(lines, line);) {
        EXPECT_TRUE(nlohmann::json::parse(line).is_object()) << line;
    }
    EXPECT_EQ(nlohmann::json::parse(cli({"query", sampleOfQuestions(), "SELECT 1 WHERE 0", "--format", "json"}).out),
              nlohmann::json::array());
}

TEST(QueryCommand, TakesAQuestionFromAFile) {
    const TempFolder folder;
    const auto file = folder.path() / "question.sql";
    std::ofstream(file) << "-- how many\nSELECT count(*) AS ranks FROM rank;\n";
    const ProcessResult result = cli({"query", sampleOfQuestions(), "-f", file.string(), "--format", "csv"});
    EXPECT_EQ(result.out, "ranks\r\n4\r\n") << result.err;
    EXPECT_EQ(cli({"query", sampleOfQuestions(), "-f", (folder.path() / "none.sql").string()}).code, kWrongUsage);
}

TEST(QueryCommand, SaysWhatIsWrongAndEndsWithTheCodeOfWrongUsage) {
    const ProcessResult misspelt = cli({"query", sampleOfQuestions(), "SELECT dur FROM slice"});
    EXPECT_EQ(misspelt.code, kWrongUsage);
    EXPECT_THAT(misspelt.err, HasSubstr("there is no column dur; did you mean dur_ns?"));
    EXPECT_EQ(misspelt.out, "");
    const ProcessResult none = cli({"query", sampleOfQuestions()});
    EXPECT_EQ(none.code, kWrongUsage);
    EXPECT_THAT(none.err, HasSubstr("SELECT"));
    EXPECT_EQ(cli({"query", "SELECT 1"}).code, kWrongUsage) << "of no run";
    EXPECT_EQ(cli({"query", "/nonexistent", "SELECT 1"}).code, kNothingReadable);
    const ProcessResult endless =
        cli({"query", sampleOfQuestions(), "--seconds", "0.05",
             "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n"});
    EXPECT_EQ(endless.code, kWrongUsage);
    EXPECT_THAT(endless.err, HasSubstr("took longer than 50 ms"));
}

/// What the shell's `printf` writes is what the program reads.
ProcessResult piped(const std::string& text, const std::string& more = {}) {
    const std::string command = "printf '%s' \"$1\" | \"$2\" query \"$3\" " + more;
    return runProcess({"sh", "-c", command, "sh", text, RANKSCOPE_CLI, sampleOfQuestions()});
}

TEST(QueryCommand, AnswersEachStatementOfItsInput) {
    const ProcessResult two =
        piped("SELECT 1 AS a, ';' AS b;\n-- a comment; of no use\nSELECT\n2 AS c; SELECT 3 AS d", "--format csv");
    EXPECT_EQ(two.out, "a,b\r\n1,;\r\nc\r\n2\r\nd\r\n3\r\n") << two.err;
    EXPECT_EQ(two.code, kDone);
    const ProcessResult wrong = piped("SELECT dur FROM slice; SELECT 7 AS x;", "--format csv");
    EXPECT_EQ(wrong.out, "x\r\n7\r\n");
    EXPECT_EQ(wrong.code, kWrongUsage);
    EXPECT_THAT(wrong.err, HasSubstr("did you mean dur_ns?"));
    EXPECT_THAT(piped(".schema gap\n.quit\nSELECT 1;").out, AllOf(HasSubstr("slice.id"), Not(HasSubstr(" 1\n"))));
    for (const char* const wrong_command : {".tabels", ".schema gpa", ".examples 99"}) {
        EXPECT_EQ(piped(wrong_command).code, kWrongUsage) << wrong_command;
    }
    EXPECT_THAT(piped("", "").err, HasSubstr("ask something"));
}

TEST(QueryCommand, TalksInATerminal) {
    const TempFolder state;
    const ProcessResult checked = runProcess({"python3", (sourceFolder() / "tests/cli/check_prompt.py").string(),
                                              RANKSCOPE_CLI, sampleOfQuestions(), state.path().string()});
    if (checked.code == kNoProgram) {
        GTEST_SKIP() << "skipped: no python3";
    }
    EXPECT_EQ(checked.code, 0) << checked.err;
}

TEST(QueryCommand, ListsWhatCanBeAskedForWithoutARun) {
    const ProcessResult result = cli({"query", "--tables"});
    EXPECT_EQ(result.code, kDone) << result.err;
    EXPECT_THAT(result.out, AllOf(HasSubstr("slice: One recorded event"), HasSubstr("dur_ns"), HasSubstr("findings:")));
}

}  // namespace
}  // namespace rankscope::test
