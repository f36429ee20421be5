// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/reports.h"

#include "core/report/palette.h"
#include "tests/support/html_check.h"
#include "tests/support/testing.h"
#include "tests/unit/report/sample_run.h"

namespace rankscope::test {
namespace {

std::string pageOf(const AnalysedRun& run) {
    return htmlReport({{&run}, {}});
}

std::size_t countOf(const std::string& text, const std::string& part) {
    std::size_t count = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
        ++count;
    }
    return count;
}

TEST(HtmlReport, IsWellFormedLoadsNothingAndShowsTheNumbersOfTheJson) {
    const AnalysedRun run = sampleRun();
    const ReportInput input{{&run}, {{"gone.json", std::nullopt, "no such file"}}};
    RANKSCOPE_EXPECT_HTML_HOLDS(htmlReport(input), jsonReport(input));
}

TEST(HtmlReport, TheFirstScreenHasTheFindingsAndLeavesOutTheTables) {
    const AnalysedRun run = sampleRun();
    const std::string screen = htmlScreen({{&run}, {}});
    for (std::size_t finding = 1; finding <= run.diagnosis.findings.size(); ++finding) {
        EXPECT_THAT(screen, HasSubstr("id=\"run1-finding-" + std::to_string(finding) + "\""));
    }
    for (std::size_t at = screen.find("href=\"#"); at != std::string::npos; at = screen.find("href=\"#", at + 1)) {
        const std::size_t begin = at + 7;
        const std::string target = screen.substr(begin, screen.find('"', begin) - begin);
        EXPECT_THAT(screen, HasSubstr("id=\"" + target + "\""));
    }
    EXPECT_LT(countOf(screen, "<section"), countOf(pageOf(run), "<section") / 2);
    EXPECT_THAT(screen, Not(AnyOf(HasSubstr("http:"), HasSubstr("https:"), HasSubstr("src="))));
}

TEST(HtmlReport, OfSeveralRunsHasAllAndALinkToEach) {
    const AnalysedRun one = sampleRun();
    AnalysedRun two = sampleRun();
    two.facts.ranks[0].steps[0].partition->compute_ns = 799;
    two.facts.ranks[0].steps[0].partition->idle_ns = 651;
    const ReportInput input{{&one, &two}, {}};
    const std::string page = htmlReport(input);
    EXPECT_THAT(page, AllOf(HasSubstr("href=\"#run1-top\""), HasSubstr("href=\"#run2-top\"")));
    RANKSCOPE_EXPECT_HTML_HOLDS(page, jsonReport(input));
}

TEST(HtmlReport, OfNothingIsAPageThatSaysWhatWasNotRead) {
    const ReportInput input{{}, {{"gone.json", std::nullopt, "no such file"}}};
    EXPECT_THAT(htmlReport(input), HasSubstr("gone.json: no such file"));
    RANKSCOPE_EXPECT_HTML_HOLDS(htmlReport(input), jsonReport(input));
}

TEST(HtmlReport, ShowsMeansOfTheRanksWhereTheRunUsesMeans) {
    AnalysedRun run = sampleRun();
    run.facts.basis = StepBasis::Mean;
    std::vector<RankStep>& steps = run.facts.ranks[0].steps;
    steps[1].outlier = false;
    steps[1].span.end_ns += 500;
    steps[1].partition->compute_ns += 500;
    run.facts.steps[1].outlier = false;
    const std::string means = pageOf(run);
    EXPECT_THAT(means, AllOf(HasSubstr("Means of the ranks"), Not(HasSubstr("Medians of the ranks")),
                             HasSubstr("are idle: means of the ranks")));
    EXPECT_THAT(means, HasSubstr("data-v=\"1750\"")) << "of 1,500 and 2,000 ns";
    run.facts.basis = StepBasis::Median;
    const std::string medians = pageOf(run);
    EXPECT_THAT(medians, AllOf(HasSubstr("Medians of the ranks"), Not(HasSubstr("data-v=\"1750\""))));
}

TEST(HtmlReport, TheCheckSeesAWrongNumberAndALooseElement) {
    const AnalysedRun run = sampleRun();
    AnalysedRun other = sampleRun();
    other.facts.ranks[0].steps[0].partition->compute_ns = 801;
    const SchemaVerdict number = checkHtml(pageOf(run), jsonReport({{&other}, {}}));
    if (!number.checked) {
        GTEST_SKIP() << "skipped: " << number.message;
    }
    EXPECT_FALSE(number.holds);
    EXPECT_THAT(number.message, HasSubstr("compute_ns"));
    EXPECT_FALSE(checkHtml("<p>loose", jsonReport({})).holds);
    EXPECT_FALSE(checkHtml("<p></p><script src=\"x.js\"></script>", jsonReport({})).holds);
}

TEST(HtmlReport, NamesOfTracesCannotBecomeMarkup) {
    const std::string evil = "</title></style><script>alert('x')</script><b onclick=\"x\">&\x01\xff";
    AnalysedRun run = sampleRunWith([&evil](auto& changed, RankTrace& rank, RankTrace&) {
        changed.name = evil;
        changed.notes = {evil};
        rank.host = evil;
        rank.tracks[0].name = evil;
        rank.tracks[0].slices.name[0] = rank.strings.intern(evil);
        rank.files[0].path = evil;
        rank.devices[0].name = evil;
    });
    Finding& finding = run.diagnosis.findings[0];
    finding.title = finding.why = finding.remedies[0].action = finding.evidence[0].note = evil;
    run.diagnosis.cannot_tell[0].reason = evil;
    run.facts.ranks[0].steps[1].outlier_reason = evil;
    const std::string page = pageOf(run);
    EXPECT_THAT(page, AllOf(Not(HasSubstr("alert('x')")), Not(HasSubstr("<b onclick")), Not(HasSubstr("\xff"))));
    EXPECT_THAT(page,
                HasSubstr("&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;&lt;b onclick=&quot;x&quot;&gt;&amp;?"));
    EXPECT_EQ(countOf(page, "<script"), 1U);
}

TEST(HtmlReport, OfAHundredThousandStepsStaysAPageThatABrowserOpens) {
    AnalysedRun run = sampleRun();
    for (std::uint32_t s = 0; s < 100'000; ++s) {
        RunStep step = run.facts.steps[0];
        step.by_rank[0] = RankStepPosition(run.facts.ranks[0].steps.size());
        step.by_rank[1] = std::nullopt;
        run.facts.ranks[0].steps.push_back(run.facts.ranks[0].steps[0]);
        run.facts.steps.push_back(std::move(step));
    }
    const std::string page = pageOf(run);
    EXPECT_LT(page.size(), 8'000'000U);
    EXPECT_THAT(page, HasSubstr("The first 5,000 of 100,003 rows; all are in the CSV report."));
    EXPECT_THAT(page, HasSubstr("each column is the longest of 101"));
}

TEST(HtmlReport, OfManyRanksSaysWhichAreNotDrawn) {
    AnalysedRun run = sampleRun();
    auto changed = std::make_shared<rankscope::Run>(*run.run);
    const RankClock clock = run.clock.ranks[0];
    const RankFacts facts = run.facts.ranks[0];
    for (RankPosition r{2}; r < 1'000; ++r) {
        changed->ranks.push_back(changed->ranks[0]);
        run.clock.ranks.push_back(clock);
        run.facts.ranks.push_back(facts);
        for (RunStep& step : run.facts.steps) {
            step.by_rank.push_back(step.by_rank[0]);
        }
    }
    run.run = changed;
    const std::string page = pageOf(run);
    EXPECT_THAT(page, HasSubstr("The first 512 of 999 ranks; all are in the CSV report."));
    EXPECT_THAT(page, HasSubstr("The first 64 of 999 ranks; all are in the CSV report."));
}

TEST(HtmlReport, IsTheSameEachTime) {
    EXPECT_EQ(pageOf(sampleRun()), pageOf(sampleRun()));
}

TEST(HtmlReport, HasTheFindingBothItsPricesItsRemedyAndItsPlaces) {
    const std::string page = pageOf(sampleRun());
    EXPECT_THAT(page, AllOf(HasSubstr("1. The device waits for input"), HasSubstr("<b>450 ns</b>"),
                            HasSubstr("saved per step without it, 30 %"), HasSubstr("<b>600 ns</b>")));
    EXPECT_THAT(page, HasSubstr("<strong>Set num_workers=4.</strong> Workers load beside the training."));
    EXPECT_THAT(page, HasSubstr("rank 2; time lost on rank 3; step 5"));
    EXPECT_THAT(page, AllOf(HasSubstr("<code>runs/rank2.json</code>"), HasSubstr("data-v=\"4321\"")));
}

TEST(HtmlReport, APartOfAStepHasTheLengthOfItsTime) {
    // Rank 2 needs 1500 ns for step 5, and is the longest: 800 of them compute, over the width that the bars have.
    const std::string page = pageOf(sampleRun());
    EXPECT_THAT(page, HasSubstr("rank 2: Compute, 800 ns (53 %)"));
    EXPECT_THAT(page, HasSubstr("width=\"460.8\" height=\"20\" class=\"f-compute\""));
    EXPECT_THAT(page, HasSubstr("rank 2: Idle: DataLoader, 600 ns (40 %)"));
}

TEST(HtmlReport, DrawsATypicalStepOfAllRanksAndTheFirstWhereNoneIsComplete) {
    AnalysedRun run = sampleRun();
    EXPECT_THAT(pageOf(run), HasSubstr("Step 5, a typical step, rank by rank"));
    for (RunStep& step : run.facts.steps) {
        step.complete = false;
    }
    EXPECT_THAT(pageOf(run), HasSubstr("Step 5, the first step, rank by rank"));
}

TEST(HtmlReport, WaitingInCollectivesIsDrawnApartWhereItIsKnown) {
    AnalysedRun run = sampleRun();
    EXPECT_THAT(pageOf(run), Not(HasSubstr("Exposed communication: waiting")));
    run.facts.ranks[0].steps[0].partition->exposed_transfer_ns = 10;
    run.facts.ranks[0].steps[0].partition->exposed_wait_ns = 20;
    EXPECT_THAT(pageOf(run), AllOf(HasSubstr("Exposed communication: waiting, 20 ns"),
                                   HasSubstr("Exposed communication: transfer, 10 ns")));
    // What cannot be told apart stays what it was: the parts still add up.
    run.facts.ranks[0].steps[0].partition->exposed_wait_ns = 15;
    EXPECT_THAT(pageOf(run), HasSubstr("rank 2: Exposed communication: not divided, 5 ns"));
    EXPECT_THAT(pageOf(run), HasSubstr("class=\"f-communication-unsplit\"")) << "not the colour of transfers";
}

TEST(HtmlReport, HasTheVerdictAndThePhasesThatTheRunHas) {
    AnalysedRun run = sampleRun();
    EXPECT_THAT(pageOf(run), Not(HasSubstr("Phases of a step")));
    run.facts.verdict = {Bound::Input, "The input is late.", {}};
    RankPhases& phases = run.facts.ranks[0].phases;
    phases.steps.resize(2);
    for (const Phase phase : {Phase::Backward, Phase::Other}) {
        phases.told[phase] = true;
        phases.steps[0][phase] = {700, 500, 600};
    }
    const std::string page = pageOf(run);
    EXPECT_THAT(page, HasSubstr("Critical path: The input is late."));
    EXPECT_THAT(page, AllOf(HasSubstr("Phases of a step"), HasSubstr("backward"), HasSubstr("700 ns")));
    RANKSCOPE_EXPECT_HTML_HOLDS(page, jsonReport({{&run}, {}}));
}

TEST(HtmlReport, StepsThatAreNotPricedLookDifferentAndSayWhy) {
    const std::string page = pageOf(sampleRun());
    EXPECT_THAT(page, AllOf(HasSubstr("part odd"), HasSubstr("step 6 not priced: warm-up")));
}

TEST(HtmlReport, ARankWithoutANumberIsNamedByItsPlace) {
    const AnalysedRun run = sampleRunWith([](auto&, RankTrace&, RankTrace& three) { three.rank.reset(); });
    EXPECT_THAT(pageOf(run), HasSubstr("data-key=\"id\""));
    EXPECT_THAT(pageOf(sampleRun()), Not(HasSubstr("data-key=\"id\"")));
}

TEST(Palette, HasAColourForEachCause) {
    for (std::size_t i = 0; i < kCauseCount; ++i) {
        const std::string name = "cause-" + std::string(causeName(static_cast<Cause>(i)));
        EXPECT_TRUE(std::ranges::any_of(report::palette(), [&](const auto& colour) { return colour.name == name; }))
            << name;
    }
}

TEST(HtmlReport, ShowsCollectivesBySizeAndWhyOthersHaveNoPartner) {
    AnalysedRun run = sampleRun();
    Collective collective;
    collective.kind = CollectiveKind::AllReduce;
    collective.name = "allreduce";
    collective.bytes = 4000;
    collective.transfer_ns = 100;
    collective.members.resize(1);
    run.facts.collectives.groups.resize(1);
    run.facts.collectives.groups[0].name = "<dp>";
    run.facts.collectives.collectives = {collective, collective};
    run.facts.collectives.unmatched = {
        {.rank = RankPosition(), .group = 0, .count = 2, .reason = "their windows differ"}};
    const std::string page = pageOf(run);
    EXPECT_THAT(page, AllOf(HasSubstr("all-reduce"), HasSubstr("&lt;dp&gt;"), HasSubstr("4.00 kB"),
                            HasSubstr("2 unmatched; their windows differ.")));
    RANKSCOPE_EXPECT_HTML_HOLDS(page, jsonReport({{&run}, {}}));
}

}  // namespace
}  // namespace rankscope::test
