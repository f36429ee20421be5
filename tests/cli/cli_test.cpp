// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/cli/run_cli.h"
#include "tests/cli/trace_text.h"
#include "tests/support/html_check.h"
#include "tests/support/places.h"
#include "tests/support/real_traces.h"
#include "tests/support/report_schema.h"
#include "tests/support/testing.h"

namespace rankscope::test {
namespace {

class Cli : public testing::Test {
  protected:
    std::string healthy(int rank = 0) {
        return scratch.write("healthy" + std::to_string(rank) + ".json", traceText(rank, 0));
    }
    std::string stalled() { return scratch.write("stalled.json", traceText(0, 60)); }
    std::string broken() { return scratch.write("broken.json", "this is no trace"); }

    TempFolder scratch;
};

TEST_F(Cli, HelpAndVersionSucceedOnStandardOutput) {
    const ProcessResult help = cli({"--help"});
    EXPECT_EQ(help.code, 0);
    EXPECT_THAT(help.out, AllOf(HasSubstr("analyze"), HasSubstr("info")));
    const ProcessResult version = cli({"--version"});
    EXPECT_EQ(version.code, 0);
    EXPECT_THAT(version.out, testing::MatchesRegex("rankscope-cli [0-9]+\\.[0-9]+\\.[0-9]+ \\(report schema [0-9]+, "
                                                   "definitions [0-9]+\\)\n"));
}

TEST_F(Cli, ATypedOffsetIsAddedToTheTimesOfItsRankAlone) {
    const ProcessResult result = cli({"analyze", healthy(0), healthy(1), "--clock-offset", "1=2500", "--json", "-"});
    ASSERT_EQ(result.code, 0) << result.err;
    const json ranks = json::parse(result.out)["runs"][0]["ranks"];
    EXPECT_EQ(ranks[1]["clock"]["offset_ns"], 2500);
    EXPECT_EQ(ranks[1]["clock"]["method"], "typed");
    EXPECT_NE(ranks[0]["clock"]["method"], "typed");
}

TEST_F(Cli, WithFileClocksNothingIsAddedToTheFilesTimes) {
    const ProcessResult result = cli({"analyze", healthy(0), healthy(1), "--file-clocks", "--json", "-"});
    ASSERT_EQ(result.code, 0) << result.err;
    const json ranks = json::parse(result.out)["runs"][0]["ranks"];
    for (const json& rank : ranks) {
        EXPECT_EQ(rank["clock"]["offset_ns"], 0);
        EXPECT_EQ(rank["clock"]["method"], "file-times");
    }
}

TEST_F(Cli, AnOffsetThatIsNoneIsWrongUsage) {
    EXPECT_EQ(cli({"analyze", healthy(), "--clock-offset", "one=2"}).code, 2);
    EXPECT_EQ(cli({"analyze", healthy(), "--clock-offset", "1=2us"}).code, 2);
    EXPECT_EQ(cli({"analyze", healthy(), "--clock-offset", "1=2", "--file-clocks"}).code, 2);
}

TEST_F(Cli, HelpOffersWhatEachCommandHas) {
    EXPECT_THAT(cli({"analyze", "--help"}).out,
                AllOf(HasSubstr("--html"), HasSubstr("--csv"), Not(HasSubstr("--fail-on-regression PERCENT"))));
    EXPECT_THAT(cli({"compare", "--help"}).out,
                AllOf(HasSubstr("--html"), HasSubstr("--csv"), HasSubstr("--fail-on-regression PERCENT")));
    EXPECT_THAT(cli({"info", "--help"}).out, Not(HasSubstr("--html")));
}

TEST_F(Cli, WrongUsageIsTwoAndSaysWhy) {
    const std::string trace = healthy();
    const std::vector<std::vector<std::string>> wrong = {
        {},
        {"analyze"},
        {"analyse", trace},
        {"analyze", trace, "--nonsense"},
        {"analyze", trace, "--fail-on", "dreadful"},
        {"analyze", trace, "--ranks", "5-2"},
        {"analyze", trace, "--ranks", "1,,2"},
        {"analyze", trace, "--ranks", "99999999999"},
        {"analyze", trace, "--steps", "5,7"},
        {"analyze", trace, "--json", "-", "--markdown", "-"},
        {"analyze", trace, "--html", "-", "--json", "-"},
        {"analyze", trace, "--html", (scratch.path() / "no/such/folder/x.html").string()},
        {"info", trace, "--html", "x.html"},
        {"analyze", trace, "--csv", "-"},
        {"analyze", trace, "--csv", trace},
        {"analyze", trace, "--csv", (scratch.path() / "no/such/folder").string()},
        {"analyze", trace, "--json", (scratch.path() / "no/such/folder/x.json").string()},
        {"compare", trace, trace, "--fail-on-regression", "nan"},
        {"compare", trace, trace, "--fail-on-regression", "inf"},
        {"compare", trace, trace, "--fail-on-regression", "-1"},
    };
    for (const auto& arguments : wrong) {
        const ProcessResult result = cli(arguments);
        EXPECT_EQ(result.code, 2) << testing::PrintToString(arguments);
        EXPECT_THAT(result.err, Not(IsEmpty()));
        EXPECT_THAT(result.out, IsEmpty());
    }
}

TEST_F(Cli, AnalyzePrintsForPeopleAndIsQuietOnStandardError) {
    const ProcessResult result = cli({"analyze", healthy(), "--full"});
    EXPECT_EQ(result.code, 0) << result.err;
    EXPECT_THAT(result.out, AllOf(HasSubstr("steps 1 to 4"), HasSubstr("rank 0"), HasSubstr("compute")));
    EXPECT_THAT(result.out, Not(HasSubstr("\x1b")));
    EXPECT_THAT(result.err, IsEmpty());
}

TEST_F(Cli, InfoSaysWhatTheFileHolds) {
    const ProcessResult result = cli({"info", healthy(1)});
    EXPECT_EQ(result.code, 0) << result.err;
    EXPECT_THAT(result.out,
                AllOf(HasSubstr("rank 1"), HasSubstr("Test GPU"), HasSubstr("stream"), HasSubstr("1 to 4")));
}

TEST_F(Cli, ADashPutsNothingButTheReportOnStandardOutput) {
    for (const char* command : {"analyze", "info"}) {
        const ProcessResult result = cli({command, healthy(), "--json", "-"});
        EXPECT_EQ(result.code, 0) << result.err;
        const json report = json::parse(result.out, nullptr, false);
        ASSERT_FALSE(report.is_discarded()) << result.out;
        EXPECT_EQ(report["runs"].size(), 1U);
    }
    EXPECT_THAT(cli({"analyze", healthy(), "--markdown", "-"}).out, testing::StartsWith("# "));
    EXPECT_THAT(cli({"analyze", healthy(), "--html", "-"}).out,
                AllOf(testing::StartsWith("<!DOCTYPE html>"), testing::EndsWith("</html>\n")));
}

TEST_F(Cli, SeveralFilesAreOneRunAndSeveralFoldersARunEach) {
    const std::string a = scratch.write("a/rank0.json", traceText(0, 0));
    const std::string b = scratch.write("b/rank1.json", traceText(1, 0));
    const json files = json::parse(cli({"info", a, b, "--json", "-"}).out);
    ASSERT_EQ(files["runs"].size(), 1U);
    EXPECT_EQ(files["runs"][0]["ranks"].size(), 2U);
    const json folders =
        json::parse(cli({"info", (scratch.path() / "a").string(), (scratch.path() / "b").string(), "--json", "-"}).out);
    ASSERT_EQ(folders["runs"].size(), 2U);
    EXPECT_EQ(folders["runs"][1]["ranks"][0]["rank"], 1);
}

TEST_F(Cli, PathsBehindANameAreOneRunOfThatName) {
    const ProcessResult result =
        cli({"analyze", "--run", "before=" + healthy(0), healthy(1), "--run", "after=" + stalled(), "--json", "-"});
    ASSERT_EQ(result.code, 0) << result.err;
    const json runs = json::parse(result.out)["runs"];
    ASSERT_EQ(runs.size(), 2U);
    EXPECT_EQ(runs[0]["name"], "before");
    EXPECT_EQ(runs[0]["ranks"].size(), 2U);
    EXPECT_EQ(runs[1]["name"], "after");
    EXPECT_EQ(runs[1]["ranks"].size(), 1U);
}

TEST_F(Cli, ANameOfARunWithoutAPathOrTwiceIsWrongUsage) {
    EXPECT_EQ(cli({"analyze", "--run", healthy()}).code, 2);
    EXPECT_EQ(cli({"analyze", "--run", "=" + healthy()}).code, 2);
    EXPECT_EQ(cli({"analyze", "--run", "a="}).code, 2);
    const ProcessResult twice = cli({"analyze", "--run", "a=" + healthy(0), "--run", "a=" + healthy(1)});
    EXPECT_EQ(twice.code, 2);
    EXPECT_THAT(twice.err, HasSubstr("two runs \"a\""));
}

TEST_F(Cli, OnlyTheRanksAndStepsThatWereAskedForAreRead) {
    const std::string one = healthy(0);
    const std::string two = healthy(1);
    const json ranks = json::parse(cli({"info", one, two, "--ranks", "1", "--json", "-"}).out);
    ASSERT_EQ(ranks["runs"][0]["ranks"].size(), 1U);
    EXPECT_EQ(ranks["runs"][0]["ranks"][0]["rank"], 1);
    const json steps = json::parse(cli({"info", one, "--steps", "2-3", "--json", "-"}).out);
    EXPECT_EQ(steps["runs"][0]["ranks"][0]["steps"]["indices"], json({2, 3}));
}

TEST_F(Cli, NothingReadableIsThreeAndNamesTheFileAndTheReason) {
    for (const std::string& path : {broken(), (scratch.path() / "gone.json").string()}) {
        for (const char* command : {"analyze", "info"}) {
            const ProcessResult result = cli({command, path});
            EXPECT_EQ(result.code, 3) << path;
            // The path, perhaps the byte, and then the cause.
            const std::size_t at = result.err.find(path);
            ASSERT_NE(at, std::string::npos) << result.err;
            EXPECT_THAT(result.err.substr(at + path.size()), testing::MatchesRegex("(, byte [0-9]+)?: [a-z].*\n"));
        }
    }
}

TEST_F(Cli, AGoodFileBesideABadOneIsFourAndTheGoodOneIsReported) {
    const std::string bad = broken();
    const ProcessResult result = cli({"analyze", healthy(), bad, "--json", "-"});
    EXPECT_EQ(result.code, 4);
    EXPECT_THAT(result.err, HasSubstr(bad));
    const json report = json::parse(result.out);
    ASSERT_EQ(report["runs"].size(), 1U);
    EXPECT_EQ(report["runs"][0]["ranks"].size(), 1U);
    EXPECT_EQ(report["runs"][0]["unreadable"][0]["path"], bad);
}

TEST_F(Cli, AFindingAtTheLevelIsOne) {
    const std::string trace = stalled();
    const json report = json::parse(cli({"analyze", trace, "--json", "-"}).out);
    ASSERT_FALSE(report["runs"][0]["findings"].empty());
    EXPECT_EQ(report["runs"][0]["findings"][0]["id"], "dataloader-stall");
    EXPECT_EQ(report["runs"][0]["findings"][0]["severity"], "high");
    EXPECT_EQ(cli({"analyze", trace}).code, 0) << "without --fail-on a finding is no failure";
    EXPECT_EQ(cli({"analyze", trace, "--fail-on", "high"}).code, 1);
    EXPECT_EQ(cli({"analyze", trace, "--fail-on", "low"}).code, 1);
    EXPECT_EQ(cli({"analyze", trace, broken(), "--fail-on", "low"}).code, 1) << "the finding is said first";
}

TEST_F(Cli, TheExitCodeIsTheSameForEachFormat) {
    const std::string good = stalled();
    const std::string bad = broken();
    for (const char* format : {"--json", "--markdown", "--html"}) {
        SCOPED_TRACE(format);
        EXPECT_EQ(cli({"analyze", good, format, "-"}).code, 0);
        EXPECT_EQ(cli({"analyze", good, format, "-", "--fail-on", "high"}).code, 1);
        EXPECT_EQ(cli({"analyze", good, format, scratch.path().string()}).code, 2);
        EXPECT_EQ(cli({"analyze", bad, format, "-"}).code, 3);
        EXPECT_EQ(cli({"analyze", good, bad, format, "-"}).code, 4);
    }
}

TEST_F(Cli, EvidenceLeadsToTheEventInTheFile) {
    const std::string trace = stalled();
    const json report = json::parse(cli({"analyze", trace, "--json-detail", "--json", "-"}).out);
    const std::string text = traceText(0, 60);
    std::size_t places = 0;
    for (const json& finding : report["runs"][0]["findings"]) {
        for (const json& evidence : finding["evidence"]) {
            if (evidence["slice"].is_null()) {
                continue;
            }
            EXPECT_EQ(evidence["file"], trace);
            const auto offset = evidence["byte_offset"].get<std::size_t>();
            const std::string event = text.substr(offset, text.find('\n', offset) - offset - 1);
            ASSERT_TRUE(json::accept(event)) << event;
            EXPECT_EQ(json::parse(event)["name"], evidence["slice"]);
            EXPECT_EQ(json::parse(event)["dur"].get<std::int64_t>() * 1000, evidence["duration_ns"]);
            ++places;
        }
    }
    EXPECT_GT(places, 0U);
}

TEST_F(Cli, AHealthyRunFailsAtNoLevel) {
    EXPECT_EQ(cli({"analyze", healthy(), "--fail-on", "low"}).code, 0);
}

TEST_F(Cli, AReportThatCannotBeWrittenIsTwo) {
    const std::string folder = scratch.path().string();
    const ProcessResult result = cli({"analyze", healthy(), "--json", folder});
    EXPECT_EQ(result.code, 2);
    EXPECT_THAT(result.err, HasSubstr(folder + ": cannot be written"));
}

TEST_F(Cli, AReportNeverTakesThePlaceOfATraceThatItIsOf) {
    const std::string trace = healthy();
    const std::string before = contentOf(trace);
    const std::string linked = (scratch.path() / "linked.json").string();
    std::filesystem::create_hard_link(trace, linked);
    const std::string roundabout = (scratch.path() / "." / "healthy0.json").string();
    for (const std::string& output : {trace, linked, roundabout}) {
        for (const char* format : {"--json", "--markdown", "--html"}) {
            const ProcessResult result = cli({"analyze", trace, format, output});
            EXPECT_EQ(result.code, 2) << output;
            EXPECT_THAT(result.err, AllOf(HasSubstr(output), HasSubstr(format), HasSubstr("is the trace")));
        }
    }
    EXPECT_EQ(cli({"analyze", scratch.path().string(), "--json", trace}).code, 2) << "found in a folder";
    EXPECT_EQ(contentOf(trace), before);
}

TEST_F(Cli, TwoFormatsNeedTwoFiles) {
    const std::string trace = healthy();
    const std::string file = (scratch.path() / "report").string();
    const std::string roundabout = (scratch.path() / "." / "report").string();
    const ProcessResult result = cli({"analyze", trace, "--json", file, "--html", roundabout});
    EXPECT_EQ(result.code, 2);
    EXPECT_THAT(result.err, AllOf(HasSubstr("--json"), HasSubstr("--html")));
    EXPECT_FALSE(std::filesystem::exists(file));
    const std::string table = (scratch.path() / "tables" / "steps.csv").string();
    std::filesystem::create_directory(scratch.path() / "tables");
    EXPECT_EQ(cli({"analyze", trace, "--json", table, "--csv", (scratch.path() / "tables").string()}).code, 2);
    EXPECT_EQ(cli({"analyze", trace, "--json", "/dev/null", "--html", "/dev/null"}).code, 0) << "nothing is lost there";
}

TEST_F(Cli, AReportThatCannotBeWrittenLeavesTheOldOne) {
    const std::string report = scratch.write("report.json", "the old one");
    const ProcessResult result = runProcess({"sh", "-c", "ulimit -f 1; trap '' XFSZ; exec \"$@\"", "sh", RANKSCOPE_CLI,
                                             "analyze", stalled(), "--json", report});
    EXPECT_EQ(result.code, 2) << result.err;
    EXPECT_THAT(result.err, HasSubstr(report + ": cannot be written"));
    EXPECT_EQ(contentOf(report), "the old one");
}

TEST_F(Cli, NamesOfFilesSendNothingToTheTerminal) {
    const std::string path = scratch.write("evil\x1b[31m\nname.json", "this is no trace");
    for (const std::vector<std::string>& arguments :
         {std::vector<std::string>{"analyze", path}, {"analyze", path + "\x1b", "--nonsense\x1b[2J"}}) {
        const ProcessResult result = cli(arguments);
        EXPECT_THAT(result.err, AllOf(Not(IsEmpty()), Not(HasSubstr("\x1b")), Not(HasSubstr("\nname"))));
    }
}

TEST_F(Cli, WithoutAnyMoreThreadsTheOneDoesItAll) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    GTEST_SKIP() << "skipped: a sanitizer takes terabytes of address space, which is limited here";
#endif
    const std::vector<std::string> analyze = {RANKSCOPE_CLI, "analyze", healthy(0), healthy(1)};
    // A thread wants as much address space for its stack as the process may have in all.
    std::vector<std::string> limited = {"sh", "-c", "ulimit -v 4000000; ulimit -s 8000000; exec \"$@\"", "sh"};
    limited.insert(limited.end(), analyze.begin(), analyze.end());
    const ProcessResult alone = runProcess(limited);
    const ProcessResult together = runProcess(analyze);
    EXPECT_EQ(alone.code, 0) << alone.err;
    EXPECT_EQ(alone.out, together.out);
}

TEST_F(Cli, WhenMemoryOrThreadsRunOutItSaysSoInOneLine) {
    const std::string trace = stalled();
    for (const std::string& limit : {std::string("ulimit -v 120000")}) {
        const ProcessResult result =
            runProcess({"sh", "-c", limit + "; exec \"$@\"", "sh", RANKSCOPE_CLI, "analyze", trace});
        EXPECT_THAT(result.code, testing::AnyOf(0, 3, 4, 5)) << limit << result.err;
        EXPECT_THAT(result.err, Not(HasSubstr("terminate called")));
    }
}

TEST_F(Cli, NameRulesThatAreAFolderAreRefusedByName) {
    const std::string folder = scratch.path().string();
    const std::string trace = healthy();
    const ProcessResult result = runProcess({"env", "RANKSCOPE_NAME_RULES=" + folder, RANKSCOPE_CLI, "analyze", trace});
    EXPECT_EQ(result.code, 4);
    EXPECT_THAT(result.err, HasSubstr(folder + ": is not a file; name a JSON file with name rules"));
}

TEST_F(Cli, NameRulesOfAFileSayWhatIsCommunication) {
    const std::string rules = scratch.write("rules.json", R"({"rules": [{"pattern": "."}]})");
    const std::string trace = healthy();
    for (const std::string& command : {std::string("analyze"), std::string("info")}) {
        EXPECT_EQ(cli({command, trace, "--name-rules", rules}).code, 0);
    }
    EXPECT_EQ(cli({"compare", trace, stalled(), "--name-rules", rules}).code, 0);
    const auto compute_ns = [&](const std::vector<std::string>& more) {
        std::vector<std::string> arguments = {"analyze", trace, "--json-detail", "--json", "-"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        const json steps = json::parse(cli(arguments).out)["runs"][0]["steps"];
        return steps[1]["ranks"][0]["compute_ns"].get<std::int64_t>();
    };
    EXPECT_GT(compute_ns({}), 0);
    EXPECT_EQ(compute_ns({"--name-rules", rules}), 0);
}

TEST_F(Cli, NameRulesThatAreBrokenAreWrongUsageWithFileLineAndCause) {
    const std::string rules = scratch.write("rules.json", "{\"rules\": [\n {\"pattern\": \"(\"}]}");
    const ProcessResult result = cli({"analyze", healthy(), "--name-rules", rules});
    EXPECT_EQ(result.code, 2);
    EXPECT_THAT(result.err, AllOf(HasSubstr(rules), HasSubstr("byte 13"), HasSubstr("line 2"),
                                  HasSubstr("is not a regular expression")));
    EXPECT_THAT(result.out, IsEmpty()) << "nothing is analysed by other rules than those that were asked for";
    const std::string missing = (scratch.path() / "none.json").string();
    const ProcessResult none = cli({"info", healthy(), "--name-rules", missing});
    EXPECT_EQ(none.code, 2);
    EXPECT_THAT(none.err, HasSubstr(missing + ": cannot be opened"));
}

TEST_F(Cli, RolesOfGroupsAreWhatTheUserSaysInEachCommand) {
    const std::string trace = healthy();
    std::string text = contentOf(trace);
    const std::size_t world = text.find(R"("world_size": 2)");
    ASSERT_NE(world, std::string::npos);
    text.insert(world, R"("pg_config": [{"pg_name": "4", "pg_desc": "mesh_tp", "ranks": [0, 1]}], )");
    const std::string named = scratch.write("named.json", text);
    const auto role_of = [&](const std::vector<std::string>& more) {
        std::vector<std::string> arguments = {"info", named, "--json", "-"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return json::parse(cli(arguments).out)["runs"][0]["parallelism"]["groups"][0];
    };
    EXPECT_EQ(role_of({})["role"], "tensor");
    EXPECT_FALSE(role_of({})["by_user"]);
    EXPECT_EQ(role_of({"--roles", "mesh_tp=data"})["role"], "data");
    EXPECT_EQ(role_of({"--roles", "4=expert"})["role"], "expert") << "by its name";
    EXPECT_TRUE(role_of({"--roles", "4=expert"})["by_user"]);
    EXPECT_EQ(cli({"analyze", named, "--roles", "mesh_tp=data"}).code, 0);
    EXPECT_EQ(cli({"compare", named, trace, "--roles", "mesh_tp=data"}).code, 0) << "one of the runs has it";
}

TEST_F(Cli, AKindOfIterationsThatThereIsNotIsWrongUsage) {
    const std::string trace = healthy();
    EXPECT_EQ(cli({"analyze", trace, "--iterations", "decode"}).code, 0) << "no server: all steps count";
    const ProcessResult wrong = cli({"analyze", trace, "--iterations", "encode"});
    EXPECT_EQ(wrong.code, 2);
    EXPECT_THAT(wrong.err, HasSubstr("\"encode\" is not prefill, decode or mixed"));
}

TEST_F(Cli, RolesThatAreWrongAreWrongUsageThatSaysWhatThereIs) {
    const std::string trace = healthy();
    const ProcessResult role = cli({"analyze", trace, "--roles", "mesh_tp=tensors"});
    EXPECT_EQ(role.code, 2);
    EXPECT_THAT(role.err, AllOf(HasSubstr("no role \"tensors\""), HasSubstr("data, shard, pipeline")));
    EXPECT_EQ(cli({"analyze", trace, "--roles", "tensor"}).code, 2);
    std::string text = contentOf(trace);
    text.insert(text.find(R"("world_size": 2)"),
                R"("pg_config": [{"pg_name": "4", "pg_desc": "mesh_tp", "ranks": [0, 1]}], )");
    const ProcessResult group = cli({"info", scratch.write("named.json", text), "--roles", "mesh_pp=pipeline"});
    EXPECT_EQ(group.code, 2);
    EXPECT_THAT(group.err, AllOf(HasSubstr("no group is called \"mesh_pp\""), HasSubstr("there are mesh_tp")));
    EXPECT_THAT(group.out, IsEmpty());
    EXPECT_THAT(cli({"info", trace, "--roles", "mesh_pp=pipeline"}).err, HasSubstr("no group"));
}

TEST_F(Cli, TakesTheSpeedsOfLinksAndRefusesWhatIsNone) {
    const std::string trace = healthy();
    EXPECT_EQ(cli({"analyze", trace, "--link-speed", "inside=300", "--link-speed", "across=12.5"}).code, 0);
    for (const char* const wrong : {"inside", "inside=", "inside=fast", "inside=0", "inside=-3", "between=10"}) {
        const ProcessResult result = cli({"analyze", trace, "--link-speed", wrong});
        EXPECT_EQ(result.code, 2) << wrong;
        EXPECT_THAT(result.err, HasSubstr("is not a link speed"));
    }
}

TEST_F(Cli, AReportNeverReplacesTheNameRules) {
    const std::string rules = scratch.write("rules.json", R"({"rules": []})");
    const ProcessResult result = cli({"analyze", healthy(), "--name-rules", rules, "--json", rules});
    EXPECT_EQ(result.code, 2);
    EXPECT_THAT(result.err, HasSubstr("contains the name rules"));
    EXPECT_EQ(contentOf(rules), R"({"rules": []})");
}

TEST_F(Cli, AKernelThatLooksLikeCommunicationIsNamedUntilARuleDecides) {
    std::string text = traceText(0, 0);
    const std::size_t at = text.find("\"gemm\"");
    ASSERT_NE(at, std::string::npos);
    for (std::size_t next = at; next != std::string::npos; next = text.find("\"gemm\"", next)) {
        text.replace(next, 6, "\"my_all_reduce\"");
    }
    const std::string trace = scratch.write("suspect.json", text);
    const ProcessResult result = cli({"analyze", trace, "--full"});
    EXPECT_THAT(result.out, AllOf(HasSubstr("my_all_reduce looks like communication"), HasSubstr("--name-rules")));
    const json report = json::parse(cli({"analyze", trace, "--json", "-"}).out);
    EXPECT_EQ(report["runs"][0]["ranks"][0]["health"]["communication_suspects"][0]["name"], "my_all_reduce");
    const std::string rules =
        scratch.write("rules.json", R"({"rules": [{"pattern": "my_all_reduce", "communication": false}]})");
    EXPECT_THAT(cli({"analyze", trace, "--full", "--name-rules", rules}).out,
                Not(HasSubstr("looks like communication")));
}

TEST_F(Cli, WritesTheReportsIntoTheFilesThatWereNamed) {
    const std::string json_file = (scratch.path() / "report.json").string();
    const std::string markdown_file = (scratch.path() / "report.md").string();
    const std::string html_file = (scratch.path() / "report.html").string();
    const ProcessResult result = cli(
        {"analyze", stalled(), "--json-detail", "--json", json_file, "--markdown", markdown_file, "--html", html_file});
    EXPECT_EQ(result.code, 0) << result.err;
    EXPECT_THAT(result.out, HasSubstr("saves per step")) << "the text for people is printed as well";
    EXPECT_TRUE(json::accept(std::ifstream(json_file)));
    EXPECT_GT(std::filesystem::file_size(markdown_file), 0U);
    RANKSCOPE_EXPECT_HTML_HOLDS(contentOf(html_file), contentOf(json_file));
}

TEST_F(Cli, WritesATableAFileIntoAFolderThatItMakes) {
    const std::string folder = (scratch.path() / "tables").string();
    for (const std::string& path : {folder, folder + "/"}) {
        const ProcessResult result = cli({"analyze", stalled(), broken(), "--csv", path, "--json", "-"});
        EXPECT_EQ(result.code, 4) << result.err;
        EXPECT_TRUE(json::accept(result.out)) << "tables leave standard output to others";
    }
    EXPECT_THAT(contentOf(folder + "/findings.csv"),
                AllOf(testing::StartsWith("run,finding,finding_id,"), HasSubstr(",dataloader-stall,")));
    EXPECT_THAT(contentOf(folder + "/unreadable.csv"), HasSubstr("broken.json"));
    EXPECT_EQ(cli({"analyze", stalled(), "--csv", folder, "--fail-on", "high"}).code, 1);
    EXPECT_EQ(cli({"analyze", broken(), "--csv", folder}).code, 3);
    std::filesystem::create_directory(folder + "/taken");
    std::filesystem::create_directory(folder + "/taken/steps.csv");
    EXPECT_EQ(cli({"analyze", stalled(), "--csv", folder + "/taken"}).code, 2);
}

TEST_F(Cli, ReportsHoldAgainstTheirSchema) {
    RANKSCOPE_EXPECT_REPORT_HOLDS(cli({"analyze", stalled(), broken(), "--json", "-"}).out);
    RANKSCOPE_EXPECT_REPORT_HOLDS(cli({"info", stalled(), broken(), "--json", "-"}).out);
    RANKSCOPE_EXPECT_REPORT_HOLDS(cli({"analyze", broken(), "--json", "-"}).out);
    RANKSCOPE_EXPECT_REPORT_HOLDS(cli({"check", stalled(), "--json", "-"}).out);
}

const std::string kSlow = test::sample("ZeroWorkers").string();
const std::string kFast = test::sample("FourWorkers").string();

TEST_F(Cli, JsonIsShortUnlessAllOfItIsAskedFor) {
    for (const char* command : {"analyze", "check"}) {
        const std::string brief = cli({command, kSlow, "--json", "-"}).out;
        const std::string all = cli({command, kSlow, "--json-detail", "--json", "-"}).out;
        EXPECT_LT(brief.size(), all.size()) << command;
        const json in_short = json::parse(brief);
        const json in_full = json::parse(all);
        EXPECT_EQ(in_short["detail"], false);
        EXPECT_EQ(in_full["detail"], true);
        EXPECT_EQ(in_short["runs"][0]["verdict"], in_full["runs"][0]["verdict"]);
        EXPECT_EQ(in_short["runs"][0]["check"], in_full["runs"][0]["check"]);
        const json& finding = in_short["runs"][0]["findings"][0];
        EXPECT_EQ(finding["evidence"].size() + finding["evidence_left_out"].get<std::size_t>(),
                  in_full["runs"][0]["findings"][0]["evidence"].size());
        RANKSCOPE_EXPECT_REPORT_HOLDS(all);
    }
    EXPECT_LT(cli({"analyze", kSlow, "--json", "-"}).out.size(), 250'000U);
    const ProcessResult alone = cli({"analyze", kSlow, "--json-detail"});
    EXPECT_EQ(alone.code, 0);
    EXPECT_THAT(alone.err, HasSubstr("--json-detail has no effect without --json"));
}

TEST_F(Cli, CompareTellsThatTheSecondRunIsFasterAndWhatWasResolved) {
    const ProcessResult result = cli({"compare", kSlow, kFast, "--full"});
    EXPECT_EQ(result.code, 0) << result.err;
    EXPECT_THAT(result.out,
                AllOf(HasSubstr("ZeroWorkers (A) against FourWorkers (B)"), HasSubstr("Difference of recordings: "),
                      HasSubstr("resolved: GPU waits for input data"), Not(HasSubstr("new: "))));
}

TEST_F(Cli, CompareWritesTheRunsAndTheComparisonsAgainstTheFirstAsJson) {
    const ProcessResult result = cli({"compare", kSlow, kFast, "--run", "again=" + kSlow, "--json", "-"});
    ASSERT_EQ(result.code, 0) << result.err;
    const json report = json::parse(result.out);
    ASSERT_EQ(report["runs"].size(), 3U);
    ASSERT_EQ(report["comparisons"].size(), 2U);
    EXPECT_EQ(report["comparisons"][0]["step"]["verdict"], "difference-of-recordings");
    EXPECT_EQ(report["comparisons"][1]["a"], 0);
    EXPECT_EQ(report["comparisons"][1]["b"], 2);
    EXPECT_EQ(report["comparisons"][1]["step"]["difference_ns"], 0);
    RANKSCOPE_EXPECT_REPORT_HOLDS(result.out);
}

TEST_F(Cli, AGateFailsOnARegressionAndOnNothingElse) {
    EXPECT_EQ(cli({"compare", kFast, kSlow, "--fail-on-regression", "5"}).code, 1);
    EXPECT_EQ(cli({"compare", kFast, kSlow, "--fail-on-regression", "1000"}).code, 0);
    EXPECT_EQ(cli({"compare", kSlow, kFast, "--fail-on-regression", "5"}).code, 0);
    EXPECT_EQ(cli({"compare", kFast, kFast, "--fail-on-regression", "0"}).code, 0);
}

TEST_F(Cli, OneRunIsWrongUsageAndARunThatCannotBeReadIsNothingToCompare) {
    EXPECT_EQ(cli({"compare", kFast}).code, 2);
    EXPECT_EQ(cli({"compare", kFast, kSlow, "--fail-on-regression", "much"}).code, 2);
    EXPECT_EQ(cli({"compare", broken(), kSlow}).code, 3);
    EXPECT_EQ(cli({"compare", kSlow, broken()}).code, 3);
    // The others are still compared with the first, but not with what came after one that could not be read.
    const ProcessResult rest = cli({"compare", kSlow, broken(), kFast});
    EXPECT_EQ(rest.code, 4);
    EXPECT_THAT(rest.out, HasSubstr("FourWorkers takes 75 % less per step"));
    const ProcessResult headless = cli({"compare", broken(), kSlow, kFast});
    EXPECT_EQ(headless.code, 3);
    EXPECT_EQ(headless.out, "");
}

TEST_F(Cli, AFolderOfSeveralRunsIsNoRunToCompare) {
    const ProcessResult result = cli({"compare", test::sample().string(), kFast});
    EXPECT_EQ(result.code, 3);
    EXPECT_THAT(result.err, HasSubstr("runs; name one of them"));
}

TEST_F(Cli, RunsInFoldersOfTheSameNameAreDistinguishedByTheFoldersAroundThem) {
    for (const auto& [run, folder] : {std::pair(kSlow, "exp1"), std::pair(kFast, "exp2")}) {
        std::filesystem::create_directories(scratch.path() / folder);
        std::filesystem::copy(run, scratch.path() / folder / "traces", std::filesystem::copy_options::recursive);
    }
    const std::string one = (scratch.path() / "exp1" / "traces").string();
    const std::string two = (scratch.path() / "exp2" / "traces").string();
    const ProcessResult compared = cli({"compare", one, two, "--full"});
    EXPECT_EQ(compared.code, 0);
    EXPECT_THAT(compared.out, HasSubstr("exp1/traces (A) against exp2/traces (B)"));
    EXPECT_EQ(json::parse(cli({"info", one, "--json", "-"}).out)["runs"][0]["name"], "traces") << "alone";
}

}  // namespace
}  // namespace rankscope::test
