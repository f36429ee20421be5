// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/trace_format.h"
#include "tests/support/analysed.h"
#include "tests/support/places.h"
#include "tests/support/testing.h"
#include "tests/unit/check/list_lines.h"
#include "tests/unit/check/planted.h"

namespace rankscope::test {
namespace {

using report::CheckList;
using report::CheckListId;
using report::checkListsOf;
using report::ListAnswer;
using report::ListLine;

void expectWhole(const std::vector<CheckList>& lists) {
    ASSERT_EQ(lists.size(), report::kCheckLists);
    for (const CheckList& list : lists) {
        EXPECT_GE(list.lines.size(), 8U);
        for (const ListLine& line : list.lines) {
            EXPECT_FALSE(line.question.empty() || line.text.empty() || line.source.empty()) << line.key;
            EXPECT_EQ(line.text.find('{'), std::string::npos) << line.text;
            EXPECT_EQ(line.advice.empty(), line.answer != ListAnswer::Yes) << line.key;
            EXPECT_EQ(line.record.empty(), line.answer != ListAnswer::CannotTell) << line.key;
        }
    }
}

TEST(CheckLists, AnswerEachQuestionOrSayWhatWould) {
    expectWhole(checkListsOf(plantedJob({})));
    expectWhole(checkListsOf(plantedJob({"memory-pressure", "slow-network", "dataloader"})));
    expectWhole(checkListsOf(loadAndAnalyse(sample("ZeroWorkers"))));
}

TEST(CheckLists, HaveNoReasonsInAHealthyJob) {
    for (const CheckList& list : checkListsOf(plantedJob({}))) {
        for (const ListLine& line : list.lines) {
            // A healthy job of data parallelism does hold the whole model on each rank, and reduces what it has; and
            // the simulated network is slower than the link that the device would have.
            const bool is_choice = line.key == "replicated" || line.key == "types-wide" || line.key == "link-slow";
            EXPECT_TRUE(is_choice || line.answer != ListAnswer::Yes) << line.key << ": " << line.text;
        }
    }
}

TEST(CheckLists, NameTheLoaderAsAReasonForLowMfu) {
    const std::vector<CheckList> lists = checkListsOf(plantedJob({"dataloader"}));
    EXPECT_EQ(listLineOf(lists, "device-idle").answer, ListAnswer::Yes);
    EXPECT_EQ(listLineOf(lists, "input-late").answer, ListAnswer::Yes);
    EXPECT_EQ(listLineOf(lists, "transfers-exposed").answer, ListAnswer::No);
}

TEST(CheckLists, TellASlowNetworkFromASlowRank) {
    const std::vector<CheckList> network = checkListsOf(plantedJob({"slow-network"}));
    EXPECT_EQ(listLineOf(network, "communication-exposed").answer, ListAnswer::Yes);
    EXPECT_EQ(listLineOf(network, "waits-not-transfers").answer, ListAnswer::No);
    const std::vector<CheckList> rank = checkListsOf(plantedJob({"slow-kernels:ranks=2,amount=1.5"}));
    EXPECT_EQ(listLineOf(rank, "communication-exposed").answer, ListAnswer::Yes);
    EXPECT_EQ(listLineOf(rank, "waits-not-transfers").answer, ListAnswer::Yes);
}

TEST(CheckLists, CannotSeparateTransferFromWaitingWhereTheLateRankIsMissing) {
    const AnalysedRun whole = plantedJob({"slow-kernels:ranks=2,amount=1.5"});
    auto some = std::make_shared<rankscope::Run>(*whole.run);
    some->ranks.erase(some->ranks.begin() + 2);
    some->missing_count = 1;
    const std::vector<CheckList> lists = checkListsOf(analyse(some));
    expectWhole(lists);
    EXPECT_EQ(listLineOf(lists, "communication-exposed").answer, ListAnswer::Yes);
    for (const char* key : {"transfers-exposed", "ranks-waited-for", "waits-not-transfers", "not-hidden"}) {
        const ListLine line = listLineOf(lists, key);
        EXPECT_EQ(line.answer, ListAnswer::CannotTell) << key;
        EXPECT_NE(line.text.find("cannot be divided"), std::string::npos) << line.text;
        EXPECT_NE(line.record.find("all ranks"), std::string::npos) << line.record;
    }
}

TEST(CheckLists, CallNoLinkSlowOnSizesThatAreBoundByLatency) {
    AnalysedRun run = plantedJob({});
    run.links.inside_gb_per_s = 1e6;
    run.links.across_gb_per_s = 1e6;
    ASSERT_FALSE(run.facts.collectives.fits.empty());
    EXPECT_EQ(listLineOf(checkListsOf(run), "link-slow").answer, ListAnswer::Yes);
    for (TransferFit& fit : run.facts.collectives.fits) {
        fit.latency_ns = 1'000'000'000'000;
    }
    const ListLine line = listLineOf(checkListsOf(run), "link-slow");
    EXPECT_EQ(line.answer, ListAnswer::CannotTell);
    EXPECT_NE(line.text.find("bound by latency"), std::string::npos) << line.text;
    run.facts.collectives.fits.clear();
    run.facts.collectives.collectives.clear();
    for (const char* key : {"link-slow", "messages-small"}) {
        const ListLine unfitted = listLineOf(checkListsOf(run), key);
        EXPECT_EQ(unfitted.answer, ListAnswer::CannotTell);
        EXPECT_NE(unfitted.text.find("both its size and its transfer"), std::string::npos) << unfitted.text;
    }
}

TEST(CheckLists, SpeakOfNoShareOfWhatIsExposedWhereNothingIs) {
    AnalysedRun run = plantedJob({});
    for (RankFacts& rank : run.facts.ranks) {
        for (RankStep& step : rank.steps) {
            step.partition->exposed_comm_ns = 0;
        }
    }
    EXPECT_EQ(listLineOf(checkListsOf(run), "waits-not-transfers").text, "No communication is exposed.");
    run.facts.collectives = {};
    for (RankFacts& rank : run.facts.ranks) {
        rank.communication = {};
    }
    EXPECT_EQ(listLineOf(checkListsOf(run), "waits-not-transfers").text, "This run does not communicate.");
}

TEST(CheckLists, NameTheFullDevice) {
    const ListLine line = listLineOf(checkListsOf(plantedJob({"memory-pressure"})), "nearly-full");
    EXPECT_EQ(line.answer, ListAnswer::Yes);
    EXPECT_TRUE(line.place.finding.has_value());
}

TEST(CheckLists, CannotTellWhetherRanksHoldAlikeWhereSomeAreMissing) {
    const AnalysedRun whole = plantedJob({}, 2, 4);
    EXPECT_EQ(listLineOf(checkListsOf(whole), "uneven-ranks").answer, ListAnswer::No);
    auto one = std::make_shared<rankscope::Run>(*whole.run);
    one->ranks.resize(1);
    one->missing_count = 1;
    const ListLine line = listLineOf(checkListsOf(analyse(one)), "uneven-ranks");
    EXPECT_EQ(line.answer, ListAnswer::CannotTell);
    EXPECT_EQ(line.text, "1 rank of 2: the memory of the others is not known.");
    EXPECT_EQ(line.record, "Open the files of all ranks.");
}

TEST(CheckLists, NeverClaimWhatNoTraceHolds) {
    const std::vector<CheckList> lists = checkListsOf(plantedJob({"slow-network"}));
    for (const char* key : {"throttled", "transport", "topology", "outside-allocator"}) {
        const ListLine line = listLineOf(lists, key);
        EXPECT_EQ(line.answer, ListAnswer::CannotTell) << key;
        EXPECT_FALSE(line.record.empty()) << key;
    }
    EXPECT_NE(listLineOf(lists, "transport").record.find("NCCL_DEBUG=INFO"), std::string::npos);
}

TEST(CheckSentences, SayWhatToRecordForTheProfilerOfTheRun) {
    const auto records_of = [](bool is_nsight) {
        auto trace = std::make_shared<RankTrace>();
        if (is_nsight) {
            markFormat(*trace, TraceFormat::Nsight);
        }
        rankscope::Run run;
        run.ranks = {trace};
        const AnalysedRun analysed = analyse(std::make_shared<const rankscope::Run>(std::move(run)));
        std::string all;
        for (const report::CheckLine& line : report::checkOf(analysed).lines) {
            all += line.record + "\n";
        }
        for (const CheckList& list : checkListsOf(analysed)) {
            for (const ListLine& line : list.lines) {
                all += line.record + "\n";
            }
        }
        return all;
    };
    const std::string torch = records_of(false);
    const std::string nsight = records_of(true);
    EXPECT_NE(torch.find("prof.step()"), std::string::npos);
    EXPECT_EQ(torch.find("nsys profile"), std::string::npos);
    EXPECT_NE(nsight.find("nsys profile --trace=cuda,nvtx"), std::string::npos);
    for (const char* option :
         {"prof.step()", "ProfilerActivity", "torch.profiler.schedule", "with_stack", "PyTorch 1.9"}) {
        EXPECT_EQ(nsight.find(option), std::string::npos) << option << "\n" << nsight;
    }
    for (const std::string& key : report::checkSentences().keys()) {
        const std::size_t at = key.rfind("-nsight");
        EXPECT_TRUE(at == std::string::npos || report::checkSentences().has(key.substr(0, at))) << key;
    }
}

TEST(CheckSentences, HaveATextForEachQuestionAndLineAndNoOther) {
    std::set<std::string> ids;
    for (const std::string& key : report::checkSentences().keys()) {
        ids.insert(key.substr(0, key.find('.')));
    }
    std::set<std::string> used = {"baseline", "category", "detail", "root-cause", "validate"};
    for (const CheckListId list : {CheckListId::LowMfu, CheckListId::SlowCommunication, CheckListId::MemoryPressure}) {
        for (const std::string& key : report::questionKeys(list)) {
            EXPECT_TRUE(used.insert(key).second) << key << " is asked twice";
        }
    }
    for (const report::CheckLine& line : report::checkOf(plantedJob({})).lines) {
        EXPECT_TRUE(used.insert(line.key).second) << line.key << " is a line and a question";
    }
    EXPECT_EQ(ids, used);
}

}  // namespace
}  // namespace rankscope::test
