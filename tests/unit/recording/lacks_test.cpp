// SPDX-License-Identifier: GPL-3.0-or-later
// What a recording can answer, on runs that lack one thing each.
#include "core/recording/lacks.h"

#include "tests/support/analysed.h"
#include "tests/support/late_ranks.h"
#include "tests/support/model_builder.h"
#include "tests/support/testing.h"

namespace rankscope::test {
namespace {

/// What is recorded beside five steps with a kernel each.
struct Beside {
    bool operators = false;
    bool memory = false;
    bool stacks = false;
};

AnalysedRun recordedWith(const Beside& beside) {
    ModelBuilder model;
    model.rank(0, 1);
    const std::uint32_t main = model.thread("main");
    const std::uint32_t stream = model.stream("7");
    for (int step = 0; step < 5; ++step) {
        const double at_us = 1000.0 * step;
        model.step(main, step, at_us, 990);
        model.kernel(main, at_us + 10, 1, stream, "gemm", at_us + 20, 900);
        if (beside.operators) {
            model.op(main, "aten::mm", at_us + 5, 20);
        }
        if (beside.stacks) {
            model.python(main, "train.py(7): step", at_us + 2, 100);
        }
        if (beside.memory) {
            model.memory(at_us + 30, 512, 1024);
        }
    }
    return analyse(runOf({model.build()}));
}

Answerable answerTo(const AnalysedRun& run, const std::string& question) {
    const std::vector<Answerable> answers = answersOf(run);
    const auto at = std::ranges::find(answers, question, &Answerable::question);
    EXPECT_NE(at, answers.end()) << question;
    return at == answers.end() ? Answerable() : *at;
}

TEST(Recordings, OfAllRanksAnswerWhichIsLate) {
    const std::shared_ptr<const rankscope::Run> run = runWithALateRank(4);
    EXPECT_TRUE(answerTo(analyse(run), "Which rank is late?").is_answered);
    rankscope::Run some = *run;
    some.ranks.pop_back();
    some.missing_ranks = {RankNumber(1)};
    some.missing_count = 1;
    const Answerable answer =
        answerTo(analyse(std::make_shared<const rankscope::Run>(std::move(some))), "Which rank is late?");
    EXPECT_FALSE(answer.is_answered);
    EXPECT_EQ(answer.because, "1 of 2 ranks is not here");
    EXPECT_THAT(answer.add, HasSubstr("all ranks"));
}

TEST(Recordings, WithoutCpuActivityDoNotAnswerWhereTimeGoes) {
    const std::string question = "Where does the time of a step go?";
    EXPECT_TRUE(answerTo(recordedWith({.operators = true}), question).is_answered);
    const Answerable answer = answerTo(recordedWith({}), question);
    EXPECT_FALSE(answer.is_answered);
    EXPECT_THAT(answer.add, HasSubstr("ProfilerActivity.CPU"));
}

TEST(Recordings, WithMemoryEventsAnswerWhatMemoryIsUsedFor) {
    const std::string question = "What is memory used for?";
    EXPECT_EQ(answerTo(recordedWith({}), question).add, "profile_memory=True");
    EXPECT_TRUE(answerTo(recordedWith({.memory = true}), question).is_answered);
}

TEST(Recordings, WithStacksAnswerWhichLineIsSlow) {
    const std::string question = "Which line of Python is slow?";
    EXPECT_THAT(answerTo(recordedWith({}), question).add, HasSubstr("with_stack=True"));
    EXPECT_EQ(answerTo(recordedWith({.stacks = true}), question).because, "5 Python calls");
}

TEST(Recordings, SayWhatIsMissingFirst) {
    const std::string text = answersText(recordedWith({.operators = true}));
    const std::size_t missing = text.find("Cannot be answered:");
    ASSERT_NE(missing, std::string::npos) << text;
    EXPECT_LT(missing, text.find("Can be answered:"));
    EXPECT_THAT(text, HasSubstr("    add: with_stack=True"));
}

}  // namespace
}  // namespace rankscope::test
