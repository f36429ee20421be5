// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ingest/files/run_names.h"
#include "tests/support/testing.h"

namespace rankscope {
namespace {

RunSource runAt(const std::string& name, const std::string& file, const std::string& member = {}) {
    return {name, {{file, member, 0}}};
}

std::vector<std::string> toldApart(std::vector<RunSource> runs, const std::vector<RunSource>& open = {}) {
    std::vector<RunSource*> all;
    std::ranges::transform(runs, std::back_inserter(all), [](RunSource& run) { return &run; });
    tellNamesApart(all, open);
    std::vector<std::string> names;
    std::ranges::transform(runs, std::back_inserter(names), [](const RunSource& run) { return run.name; });
    return names;
}

using Names = std::vector<std::string>;

TEST(RunNames, ThatAreTheSameGetTheFoldersThatDiffer) {
    EXPECT_EQ(toldApart({runAt("traces", "/x/exp1/traces/0.json"), runAt("traces", "/x/exp2/traces/0.json"),
                         runAt("b", "/x/exp2/b/0.json")}),
              (Names{"exp1/traces", "exp2/traces", "b"}));
    EXPECT_EQ(toldApart({runAt("traces", "/x/exp1/run/traces/0.json"), runAt("traces", "/x/exp2/run/traces/0.json")}),
              (Names{"exp1/run/traces", "exp2/run/traces"}));
}

TEST(RunNames, OfSingleFilesAndOfArchivesAreDistinctToo) {
    EXPECT_EQ(toldApart({runAt("rank0", "/x/a/rank0.json"), runAt("rank0", "/x/b/rank0.json.gz")}),
              (Names{"a/rank0", "b/rank0"}));
    EXPECT_EQ(toldApart({runAt("job", "/x/a/job.zip", "0.json"), runAt("job", "/x/b/job.zip", "0.json")}),
              (Names{"a/job", "b/job"}));
    EXPECT_EQ(toldApart({runAt("job", "/x/a.zip", "job/0.json"), runAt("job", "/x/b.zip", "job/0.json")}),
              (Names{"a.zip/job", "b.zip/job"}));
}

TEST(RunNames, ThatAreTakenByOpenRunsStayTheirs) {
    const std::vector<RunSource> open = {runAt("traces", "/x/exp1/traces/0.json")};
    EXPECT_EQ(toldApart({runAt("traces", "/x/exp2/traces/0.json")}, open), Names{"exp2/traces"});
    EXPECT_EQ(toldApart({runAt("traces", "/x/exp1/traces/0.json")}, open), Names{"traces"}) << "the same run again";
    EXPECT_EQ(toldApart({runAt("other", "/x/exp2/other/0.json")}, open), Names{"other"});
}

TEST(RunNames, ThatOpenRunsHaveBehindTheirFoldersGetTheirOwnFolders) {
    const std::vector<RunSource> open = {runAt("exp1/traces", "/x/exp1/traces/0.json")};
    EXPECT_EQ(toldApart({runAt("traces", "/x/exp2/traces/0.json")}, open), Names{"exp2/traces"});
}

TEST(RunNames, OfTheUserAndOfARunThatIsThereTwiceAreLeftAlone) {
    RunSource named = runAt("traces", "/x/exp1/traces/0.json");
    named.is_one_run = true;
    EXPECT_EQ(toldApart({named, runAt("traces", "/x/exp2/traces/0.json")}), (Names{"traces", "exp2/traces"}));
    EXPECT_EQ(toldApart({runAt("traces", "/x/traces/0.json"), runAt("traces", "/x/traces/0.json")}),
              (Names{"traces", "traces"}));
}

}  // namespace
}  // namespace rankscope
