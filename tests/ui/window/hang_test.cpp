// SPDX-License-Identifier: GPL-3.0-or-later
// A hang in the window: dumps of the flight recorder that are dropped on it.
#include <QClipboard>
#include <QGuiApplication>
#include <QSignalSpy>
#include <QTableView>
#include <QUrl>
#include <algorithm>
#include <filesystem>

#include "core/analysis/collectives/collective_names.h"
#include "tests/support/real_traces.h"
#include "tests/tracegen/config_of.h"
#include "tests/tracegen/write_run.h"
#include "tests/ui/table_parts.h"
#include "tests/ui/widget_parts.h"
#include "tests/ui/window/window_fixture.h"
#include "tests/unit/hang/dump_json.h"
#include "ui/panels/hang/hang_panel.h"
#include "ui/panels/shared/rich_text.h"
#include "ui/panels/shared/sorted_table.h"
#include "ui/window/opening/welcome_page.h"

namespace rankscope::ui {
namespace {

class HangInTheWindow : public test::WindowTest {
  protected:
    [[nodiscard]] HangPanel& page() { return workspace().hang(); }
    [[nodiscard]] QTableView& table() { return page().tables().table().view(); }
    /// Writes the dump of one of `ranks` ranks, which made this many all-reduces of which only the first is complete.
    [[nodiscard]] QString write(int rank, int made, int ranks = 3) const {
        return QString::fromStdString(folder().write("dumps/rank_" + std::to_string(rank) + ".json",
                                                     test::dumpJson(made, ranks, 10 + rank).dump()));
    }
    void show(const QStringList& paths) {
        ASSERT_TRUE(dropAndWait(paths));
        waitUntilQuiet();
    }
};

TEST_F(HangInTheWindow, TheCulpritIsTheFirstSentenceAndItsLineIsBelow) {
    show({write(0, 2), write(1, 1), write(2, 2)});
    EXPECT_TRUE(window().session().runs().empty());
    EXPECT_EQ(workspace().panelInFront(), QStringLiteral("hang"));
    ASSERT_TRUE(page().isVisible());
    const QStringList lines = page().summary().split(QLatin1Char('\n'));
    EXPECT_EQ(lines.value(0), QStringLiteral("Flight recorder, 3 of 3 ranks, NCCL 2.27.3"));
    EXPECT_TRUE(lines.value(1).startsWith(QStringLiteral("Rank 1 stopped: it did not make all-reduce 2")))
        << lines.value(1).toStdString();
    EXPECT_TRUE(page().summary().contains(QStringLiteral("train.py:11 step")));
    EXPECT_TRUE(page().summary().contains(QStringLiteral("What to do")));
    EXPECT_TRUE(window().windowTitle().startsWith(QStringLiteral("3 flight recorder dumps")));
}

TEST_F(HangInTheWindow, WhoWaitsForWhomAndTheFilesAreTables) {
    show({write(0, 2, 4), write(1, 1, 4), write(2, 2, 4)});
    EXPECT_EQ(test::column(*table().model()), QStringList({"1"})) << "the culprit";
    test::clickButton(page(), QStringLiteral("Who waits for whom"));
    EXPECT_EQ(test::column(*table().model()), QStringList({"0", "2"}));
    EXPECT_TRUE(test::column(*table().model(), 1).first().startsWith(QStringLiteral("rank")));
    test::clickButton(page(), QStringLiteral("Files"));
    EXPECT_EQ(test::column(*table().model()), QStringList({"3", "0", "1", "2"})) << "the missing one first";
    test::clickButton(page(), QStringLiteral("Calls that differ"));
    EXPECT_FALSE(table().isVisible());
    EXPECT_TRUE(page().summary().contains(QStringLiteral("No dump of rank 3")));
}

TEST_F(HangInTheWindow, AllIsCopiedAsText) {
    show({write(0, 2), write(1, 1), write(2, 2)});
    test::clickButton(page(), QStringLiteral("Copy as Text"));
    waitUntilQuiet();
    const QString copied = QGuiApplication::clipboard()->text();
    EXPECT_TRUE(copied.startsWith(QStringLiteral("HANG  flight recorder, 3 of 3 ranks"))) << copied.toStdString();
    EXPECT_TRUE(copied.contains(QStringLiteral("train.py:11")));
}

TEST_F(HangInTheWindow, DumpsBesideARunReplaceNothingAndAreClosedAlone) {
    show({writeRank(0)});
    show({write(0, 2), write(1, 1), write(2, 2)});
    EXPECT_EQ(ranksOf(), 1);
    ASSERT_TRUE(page().isVisible());
    test::clickButton(page(), QStringLiteral("Close the Dumps"));
    EXPECT_EQ(window().session().companions().dumps, nullptr);
    EXPECT_EQ(ranksOf(), 1);
}

TEST_F(HangInTheWindow, TheLastCallOfACulpritLeadsToItsSliceInATraceOfTheJob) {
    const tracegen::RunResult job = tracegen::simulate(tracegen::configOf(2, 3));
    for (int rank = 0; rank < 2; ++rank) {
        folder().write("run/" + tracegen::fileName(rank, false), tracegen::kinetoText(job, rank));
    }
    show({inFolder("run")});
    const std::shared_ptr<const AnalysedRun> run = window().session().runs().at(0);  // outlives its reopening
    const std::vector<Collective>& collectives = run->facts.collectives.collectives;
    // The trace ends with it: the call behind it is in the dumps alone.
    const auto last = std::ranges::max_element(collectives, {}, &Collective::sequence);
    ASSERT_NE(last, collectives.end());
    ASSERT_EQ(last->kind, CollectiveKind::AllReduce);
    const std::optional<std::int64_t> element = elementBytes(last->dtype);
    ASSERT_TRUE(element && last->bytes);
    QStringList dumps;
    for (int rank = 0; rank < 2; ++rank) {  // rank 1 does not make the call behind it
        nlohmann::json dump = test::dumpJson(2 - rank);
        for (std::size_t i = 0; i < dump["entries"].size(); ++i) {
            nlohmann::json& entry = dump["entries"][i];
            entry["collective_seq_id"] = last->sequence + static_cast<std::int64_t>(i);
            entry["input_sizes"] = nlohmann::json::array({nlohmann::json::array({*last->bytes / *element})});
            entry["input_dtypes"] = nlohmann::json::array({last->dtype});
            entry.erase("time_created_ns");
        }
        dumps << QString::fromStdString(folder().write("dumps/rank_" + std::to_string(rank) + ".json", dump.dump()));
    }
    dumps.insert(0, inFolder("run"));
    show(dumps);
    trigger("view.hang");
    waitUntilQuiet();
    ASSERT_TRUE(page().summary().contains(QStringLiteral("In the trace: rank 1 at"))) << page().summary().toStdString();
    QSignalSpy activated(&page(), &HangPanel::sliceActivated);
    Q_EMIT page().findChild<RichText*>()->anchorClicked(QUrl(QLatin1String(kLastCallLink)));
    ASSERT_EQ(activated.count(), 1);
    const auto slice = activated[0][0].value<SliceSelection>();
    EXPECT_EQ(slice.slice, last->memberOf(RankPosition(1))->slices.front());
    EXPECT_EQ(slice.rank, RankPosition(1));
}

TEST_F(HangInTheWindow, AFileThatIsDamagedIsNamedOnThePageToo) {
    const std::string whole = test::dumpJson(2, 3).dump();
    const QString cut = QString::fromStdString(folder().write("dumps/rank_2.json", whole.substr(0, whole.size() - 20)));
    show({write(0, 2), write(1, 1), cut});
    EXPECT_TRUE(problems().contains(QStringLiteral("rank_2.json"))) << problems().toStdString();
    test::clickButton(page(), QStringLiteral("Files"));
    EXPECT_TRUE(test::column(*table().model(), 1).join(QLatin1Char(' ')).contains(QStringLiteral("rank_2.json")));
}

TEST_F(HangInTheWindow, RealDumpsNameTheRanksThatHoldTheLock) {
    RANKSCOPE_NEEDS_REAL_TRACES();
    show({QString::fromStdString((test::realTraces() / "inputs/flight_recorder/lock_gil").string())});
    EXPECT_TRUE(page().summary().contains(QStringLiteral("Ranks 9 and 14 stopped: they did not make")))
        << page().summary().toStdString();
    EXPECT_EQ(test::column(*table().model()), QStringList({"9", "14"}));
    EXPECT_EQ(problems(), QString());
}

}  // namespace
}  // namespace rankscope::ui
