// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/reports.h"
#include "tests/support/analysed.h"
#include "tests/support/mixed_run.h"
#include "tests/support/report_schema.h"
#include "tests/support/testing.h"
#include "tests/unit/report/sample_run.h"

namespace rankscope::test {
namespace {

TEST(MessagesReport, SaysWhoSendsToWhomAndWhetherTheSenderWaits) {
    const AnalysedRun run = analyse(gridRun(2, 2, 2, 2, std::vector<double>(8, 100)).play());
    const json report = json::parse(jsonReport({{&run}, {}}));
    std::size_t messages = 0;
    for (const json& collective : report["runs"][0]["collectives"]) {
        EXPECT_EQ(collective.contains("messages"), collective["kind"] == "send-receive");
        for (const json& message : collective.value("messages", json::array())) {
            // In the grid of data x pipeline x tensor a stage's neighbour is two ranks on.
            EXPECT_EQ(std::abs(message["sender"].get<int>() - message["receiver"].get<int>()), 2);
            EXPECT_EQ(message["bytes"], 4 << 20);
            EXPECT_EQ(message["sender_waits"], true);
            ++messages;
        }
    }
    // Three steps, four pairs of ranks, two micro-batches, forward and backward.
    EXPECT_EQ(messages, 3U * 4 * 2 * 2);
}

TEST(MessagesReport, MatchesItsSchema) {
    AnalysedRun run = sampleRun();
    Collective exchange;
    exchange.kind = CollectiveKind::SendReceive;
    exchange.name = "send";
    exchange.members.resize(2);
    exchange.members[1].rank = RankPosition(1);
    exchange.messages = {{.sender = 0, .receiver = 1, .bytes = 100}, {.sender = 1, .receiver = 0, .bytes = {}}};
    run.facts.collectives.groups.resize(1);
    run.facts.collectives.collectives.push_back(exchange);
    RANKSCOPE_EXPECT_REPORT_HOLDS(jsonReport({{&run}, {}}));
}

}  // namespace
}  // namespace rankscope::test
