// SPDX-License-Identifier: GPL-3.0-or-later
// What to record, asked of the real program.
#include "app/exit_code.h"
#include "tests/cli/run_cli.h"
#include "tests/support/places.h"
#include "tests/support/process.h"
#include "tests/support/testing.h"

namespace rankscope::test {
namespace {

TEST(RecipeCommand, PrintsLinesForAFrameworkAndAQuestion) {
    const ProcessResult result = cli({"recipe", "fsdp", "--for", "memory"});
    EXPECT_EQ(result.code, kDone) << result.err;
    EXPECT_THAT(result.out, HasSubstr("profile_memory=True,"));
    EXPECT_EQ(cli({"recipe"}).out, cli({"recipe", "ddp"}).out);
}

TEST(RecipeCommand, RefusesAnUnknownFrameworkAndNamesTheKnownOnes) {
    const ProcessResult result = cli({"recipe", "keras"});
    EXPECT_EQ(result.code, kWrongUsage);
    EXPECT_THAT(result.err, HasSubstr("megatron"));
}

TEST(DoctorCommand, SaysWhatASampleLacksAndWhatToAdd) {
    const ProcessResult result = cli({"doctor", (sourceFolder() / "resources/samples/ZeroWorkers").string()});
    EXPECT_EQ(result.code, kDone) << result.err;
    EXPECT_THAT(result.out, HasSubstr("ZeroWorkers\n"));
    EXPECT_THAT(result.out, HasSubstr("add: profile_memory=True"));
    EXPECT_THAT(result.out, HasSubstr("Can be answered:\n  Where does the time of a step go?"));
    EXPECT_EQ(cli({"doctor", "/nowhere"}).code, kNothingReadable);
}

}  // namespace
}  // namespace rankscope::test
