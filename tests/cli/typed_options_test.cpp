// SPDX-License-Identifier: GPL-3.0-or-later
// What is said of options with values that are none, or that say nothing.

#include "tests/cli/run_cli.h"
#include "tests/cli/trace_text.h"
#include "tests/support/memory_snapshot.h"
#include "tests/support/testing.h"

namespace rankscope::test {
namespace {

class TypedOptions : public testing::Test {
  protected:
    /// What is said of `analyze` with these options, which are refused.
    [[nodiscard]] std::string refusal(std::vector<std::string> options) const {
        options.insert(options.begin(), {"analyze", trace});
        const ProcessResult result = cli(options);
        EXPECT_EQ(result.code, 2) << options.at(2);
        return result.err;
    }
    [[nodiscard]] std::string snapshot() const { return writeSnapshot(scratch, "snapshot.pickle"); }

    TempFolder scratch;
    std::string trace = scratch.write("rank0.json", traceText(0, 0));
};

TEST_F(TypedOptions, NumbersThatHaveToBeAboveZeroSaySo) {
    EXPECT_THAT(refusal({"--peak-tflops", "-5"}), HasSubstr("--peak-tflops: \"-5\" must be a number above 0"));
    EXPECT_THAT(refusal({"--batch", "0"}), HasSubstr("--batch: \"0\" must be a number above 0"));
    EXPECT_THAT(refusal({"--peak-tflops", "nan"}), HasSubstr("must be a number above 0"));
    for (const char* const option : {"--jobs", "--shards"}) {
        const ProcessResult none = cli({"digest", trace, "-o", (scratch.path() / "out").string(), option, "0"});
        EXPECT_EQ(none.code, 2);
        EXPECT_THAT(none.err, AllOf(HasSubstr("1 or more"), Not(HasSubstr("not in range"))));
    }
    const ProcessResult below = cli({"compare", trace, trace, "--fail-on-regression", "-5"});
    EXPECT_EQ(below.code, 2);
    EXPECT_THAT(below.err, HasSubstr("0 or more"));
}

TEST_F(TypedOptions, CountsAreWholeNumbersWithTheSameLettersEverywhere) {
    EXPECT_THAT(refusal({"--layers", "2.5"}), HasSubstr("--layers: \"2.5\" must be a whole number"));
    EXPECT_THAT(refusal({"--params", "2.5"}), HasSubstr("must be a whole number"));
    EXPECT_THAT(refusal({"--params", "1e30"}), HasSubstr("--params: \"1e30\" is too large"));
    EXPECT_THAT(refusal({"--params", "1e400"}), HasSubstr("is too large"));
    const ProcessResult read = cli({"analyze", trace, "--params", "2.3B", "--tokens", "2K", "--batch", "4"});
    EXPECT_EQ(read.code, 0) << read.err;
    EXPECT_THAT(read.err, IsEmpty());
}

TEST_F(TypedOptions, ABatchWithoutWorkSaysNothingAndIsToldToSo) {
    const ProcessResult alone = cli({"analyze", trace, "--batch", "32"});
    EXPECT_EQ(alone.code, 0);
    EXPECT_THAT(alone.err, HasSubstr("--batch has no effect without"));
    EXPECT_THAT(cli({"analyze", trace, "--batch", "32", "--model-flops", "1e12"}).err, IsEmpty());
}

TEST_F(TypedOptions, OnePlaceHasOneLinkSpeed) {
    EXPECT_THAT(refusal({"--link-speed", "inside=450", "--link-speed", "inside=300"}),
                HasSubstr("the speed inside is given twice"));
    EXPECT_EQ(cli({"analyze", trace, "--link-speed", "inside=450", "--link-speed", "across=50"}).code, 0);
}

TEST_F(TypedOptions, AKindOfIterationsThatARunHasNoneOfIsToldToHaveNoEffect) {
    const ProcessResult result = cli({"analyze", trace, "--iterations", "decode", "--json", "-"});
    EXPECT_EQ(result.code, 0);
    EXPECT_THAT(result.err, HasSubstr("no complete iterations of the kind decode"));
    EXPECT_THAT(json::parse(result.out)["runs"][0]["notes"].dump(),
                HasSubstr("no complete iterations of the kind decode"));
    EXPECT_THAT(cli({"analyze", trace}).err, IsEmpty());
}

TEST_F(TypedOptions, RanksThatAreNotThereAreToldWithThoseThatAre) {
    const ProcessResult offset = cli({"analyze", trace, "--clock-offset", "99=5"});
    EXPECT_EQ(offset.code, 0);
    EXPECT_THAT(offset.err, HasSubstr("--clock-offset: there is no rank 99; read is rank 0"));
    const std::string digests = (scratch.path() / "digests").string();
    ASSERT_EQ(cli({"digest", trace, "-o", digests}).code, 0);
    for (const std::string& path : {trace, digests}) {
        const ProcessResult some = cli({"analyze", path, "--ranks", "0,98-99", "--json", "-"});
        EXPECT_EQ(some.code, 0);
        const char* const said = "There is no file of ranks 98 and 99, which were requested; there is rank 0.";
        EXPECT_THAT(some.err, HasSubstr(said));
        EXPECT_THAT(json::parse(some.out)["runs"][0]["notes"].dump(), HasSubstr(said));
        const ProcessResult none = cli({"analyze", path, "--ranks", "99"});
        EXPECT_EQ(none.code, 3);
        EXPECT_THAT(none.err, HasSubstr("There is no file of rank 99, which was requested; there is rank 0."));
    }
    EXPECT_THAT(cli({"analyze", trace, "--ranks", "0", "--clock-offset", "0=5"}).err, IsEmpty());
}

TEST_F(TypedOptions, StepsThatAreNotThereAreToldWithThoseThatAre) {
    const json all = json::parse(cli({"info", trace, "--json", "-"}).out);
    const int last = all["runs"][0]["ranks"][0]["steps"]["indices"].back();
    const std::string range = std::to_string(last) + "-" + std::to_string(last + 1);
    const ProcessResult some = cli({"analyze", trace, "--steps", range, "--json", "-"});
    EXPECT_EQ(some.code, 0);
    const std::string said =
        "--steps: there is no step " + std::to_string(last + 1) + "; read is step " + std::to_string(last) + ".";
    EXPECT_THAT(some.err, HasSubstr(said));
    EXPECT_THAT(json::parse(some.out)["runs"][0]["notes"].dump(), HasSubstr(said));
    EXPECT_THAT(cli({"analyze", trace, "--steps", std::to_string(last)}).err, IsEmpty());
}

TEST_F(TypedOptions, ASnapshotIsNotCheckedAndToldWhatShowsIt) {
    const std::string path = snapshot();
    const ProcessResult alone = cli({"check", path});
    EXPECT_EQ(alone.code, 3);
    EXPECT_THAT(alone.err, HasSubstr("is a memory snapshot, but check reads traces"));
    const ProcessResult beside = cli({"check", trace, path});
    EXPECT_EQ(beside.code, 4);
    EXPECT_THAT(beside.err, HasSubstr("rankscope-cli info"));
    EXPECT_FALSE(beside.out.empty());
    EXPECT_THAT(cli({"check", path, "--json", path}).err, HasSubstr("would overwrite it"));
}

TEST_F(TypedOptions, ANumberOfAGroupIsWrittenWithItsSign) {
    EXPECT_THAT(cli({"analyze", "--help"}).out, HasSubstr("number (#0)"));
}

}  // namespace
}  // namespace rankscope::test
