// SPDX-License-Identifier: GPL-3.0-or-later
// What a run cannot tell, and how that is said.
#include "tests/support/places.h"
#include "tests/support/real_traces.h"
#include "tests/support/testing.h"
#include "tests/unit/whatif/prepared.h"

namespace rankscope::test {
namespace {

struct Refused {
    std::string change;
    std::string why;
};

void expectRefusals(const WhatIfRun& run, const std::vector<Refused>& refusals) {
    for (const Refused& one : refusals) {
        EXPECT_EQ(refusalOf(run, {one.change}), "\"" + one.change + "\": " + one.why);
    }
}

TEST(WhatIfRefusals, OfOneRankNameWhatItLacks) {
    const auto run = prepareLoneRank(5);
    expectRefusals(*run, {{"rank=0:like-median", "The run has one rank: there are no others to compare it with."},
                          {"ranks:equal", "The run has one rank: there are no others to compare it with."},
                          {"link:x2", "The ranks do not communicate in this recording."},
                          {"link:inside=10", "The ranks do not communicate in this recording."},
                          {"algorithm:tree", "The ranks do not communicate in this recording."},
                          {"overlap:none", "No computation hides communication in this run."},
                          {"loader:ready", "No DataLoader was recorded in the training process."},
                          {"bucket_cap_mb=25", "DDP sent no bucket of gradients that all of its ranks recorded."}});
}

TEST(WhatIfRefusals, OfMoreWorkersAreForRunsThatDoNotWaitForBatches) {
    const auto run = prepareAt(sample("FourWorkers"));
    expectRefusals(*run, {{"loader:ready", "The workers have each batch ready today."},
                          {"loader:workers=x2", "The workers have each batch ready today."}});
}

TEST(WhatIfRefusals, OfNamesSayWhatIsNotThere) {
    const auto run = prepareAt(sample("FourWorkers"));
    expectRefusals(
        *run,
        {{"kernels:no_such_kernel:x2", "No kernel matches \"no_such_kernel\"."},
         {"fuse:no_such_kernel", "No kernel matches \"no_such_kernel\"."},
         {"class:compite:x2",
          "\"compite\" is no class of device work; use compute, communication or copy; did you mean \"compute\"?"},
         {"module:Linear:x2",
          "No nn.Module \"Linear\" launches work here. Record with_modules=True or with_stack=True to see modules."},
         {"algorithm:star", "\"star\" is no algorithm of an all-reduce; use ring or tree."},
         {"precision:fp4", "\"fp4\" is no number type here; use bf16, fp16, fp8 or tf32."},
         {"gc:off", "No garbage collection was recorded. Record with_stack=True to see Python's calls."},
         {"cool", "No GPU becomes slower during this recording."}});
    EXPECT_THAT(refusalOf(*run, {"kernels:(:x2"}), HasSubstr("\"(\" is not a regular expression: missing ): ("));
    EXPECT_THAT(refusalOf(*run, {"operator:aten::addmn:x2"}),
                HasSubstr("No operator is called \"aten::addmn\"; did you mean \"aten::addmm\"?"));
}

TEST(WhatIfRefusals, OfALoaderSayWhatWasRecorded) {
    EXPECT_THAT(refusalOf(*prepareAt(sample("FourWorkers")), {"loader:workers=4"}),
                HasSubstr("The DataLoader has workers already, and how long they take for a batch was not recorded."));
    EXPECT_THAT(refusalOf(*prepareAt(sample("ZeroWorkers")), {"loader:workers=2000"}),
                HasSubstr("A DataLoader has at most 1,024 workers here."));
}

TEST(WhatIfRefusals, OfALoneRankOfManySayThatOthersAreMissing) {
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(corpusRun("modern_cuda"))) {
        files.push_back(entry.path());
    }
    std::ranges::sort(files);
    const auto run = prepareAt(files.front());
    for (const char* change : {"link:x2", "class:communication:x0.5", "overlap:perfect"}) {
        EXPECT_THAT(refusalOf(*run, {change}), HasSubstr("Transfers and waits for other ranks cannot be separated"));
    }
    EXPECT_THAT(refusalOf(*run, {"kernels:nccl:x2"}),
                HasSubstr("Only communication matches \"nccl\"; use link:xF for it."));
}

TEST(WhatIfRefusals, OfARunWithoutADeviceAreWhole) {
    const auto run = prepareAt(corpusRun("cpu_only"));
    for (const std::string& change : oneOfEachKind(*run)) {
        const std::string why = refusalOf(*run, {change});
        EXPECT_TRUE(why.empty() || why.ends_with('.')) << why;
    }
    EXPECT_NE(refusalOf(*run, {"kernels:.:x2"}), "");
    EXPECT_NE(refusalOf(*run, {"host:x2"}), "");
}

TEST(WhatIfRefusals, NameBothChangesThatExcludeEachOther) {
    EXPECT_EQ(refusalOf(*prepareAt(sample("ZeroWorkers")), {"loader:ready", "loader:workers=4"}),
              "\"loader:ready\" and \"loader:workers=4\" exclude each other.");
}

}  // namespace
}  // namespace rankscope::test
