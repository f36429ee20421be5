// SPDX-License-Identifier: GPL-3.0-or-later
// Digests in the window: they come back with a session, the traces that they stand for are looked for and opened, and a
// damaged rank costs itself.
#include <QDir>
#include <QDropEvent>
#include <QFile>
#include <QInputDialog>
#include <QLabel>
#include <QLineEdit>
#include <QMimeData>
#include <QPushButton>
#include <QTableView>
#include <QTimer>
#include <filesystem>

#include "core/digest/database.h"
#include "core/digest/merge_digests.h"
#include "tests/support/places.h"
#include "tests/ui/holds.h"
#include "tests/ui/window/window_fixture.h"
#include "tests/unit/digest/make_digests.h"
#include "tests/unit/network/log_text.h"
#include "ui/panels/selection/details_panel.h"
#include "ui/timeline/navigation/viewport.h"
#include "ui/timeline/rows/row_layout.h"
#include "ui/window/comparison/compare_offer.h"
#include "ui/window/comparison/comparing.h"
#include "ui/window/opening/loading_model.h"
#include "ui/window/opening/loading_strip.h"
#include "ui/window/opening/locate_offer.h"
#include "ui/window/opening/open_requests.h"
#include "ui/window/selection_flow.h"
#include "ui/window/session/session_keeper.h"

namespace rankscope::ui {
namespace {

namespace fs = std::filesystem;

class WindowOfDigests : public test::WindowTest {
  protected:
    /// The digests of a sample's traces, which lie in `traces`, in one file.
    [[nodiscard]] QString digestOf(const char* name, const char* traces, const char* to) const {
        const fs::path folder_of_traces = folder().path() / traces;
        fs::create_directories(folder_of_traces.parent_path());
        fs::copy(test::sample(name), folder_of_traces, fs::copy_options::recursive);
        for (const auto& entry : fs::recursive_directory_iterator(folder_of_traces)) {
            fs::permissions(entry.path(), fs::perms::owner_all);
        }
        const auto digests = test::makeDigests(folder_of_traces, folder().path() / (std::string(to) + "-parts"));
        const Result<MergedDigests> merged = mergeDigests(digests, (folder().path() / to).string());
        EXPECT_TRUE(merged.ok());
        return inFolder(to);
    }
    void openDigest(const QString& digest) {
        ASSERT_TRUE(openAndWait({digest}));
        ASSERT_GT(ranksOf(), 1);
        ASSERT_TRUE(QTest::qWaitFor([this] { return !window().workspace().busy(); }, kPatience));
    }
    [[nodiscard]] LocateOffer* traces() {
        const auto offers = window().findChildren<LocateOffer*>();
        return offers.size() == 2 ? offers.at(1) : nullptr;
    }
    /// Opens the digest of a job whose traces are now in the folder "mounted", and waits for the offer to find them;
    /// nullptr where there is none.
    [[nodiscard]] LocateOffer* openWithoutTraces() {
        const QString digest = digestOf("ZeroWorkers", "cluster/job", "job.digest");
        fs::create_directories(folder().path() / "mounted");
        fs::rename(folder().path() / "cluster/job", folder().path() / "mounted/job");
        openDigest(digest);
        LocateOffer* offer = traces();
        const bool seen = QTest::qWaitFor([&] { return offer != nullptr && offer->isVisible(); }, kPatience);
        return seen ? offer : nullptr;
    }
    /// The args of a slice of the second rank, as the details show them.
    [[nodiscard]] QString argsOfASlice() {
        window().workspace().flow().pointAt({0, RankPosition(1), {TrackId(0), 3}});
        const DetailsPanel& details = window().workspace().details();
        (void)QTest::qWaitFor([&] { return !details.argsText().contains(QStringLiteral("reading")); }, kPatience);
        return details.argsText();
    }
    /// Opens the last step of the second rank from its trace; returns its number.
    [[nodiscard]] std::int64_t openLastStep() {
        (void)argsOfASlice();
        const AnalysedRun& run = *window().session().runs().front();
        const RankPosition rank(1);
        window().workspace().timeline().showStep(0, rank, RankStepPosition(run.facts.ranks[rank].steps.size() - 1));
        const auto in_view = window().workspace().timeline().stepInView();
        EXPECT_TRUE(in_view.has_value());
        trigger("file.open-step");
        EXPECT_TRUE(QTest::qWaitFor([this] { return window().session().runs().size() == 2; }, kPatience));
        EXPECT_TRUE(waitUntilIdle());
        return in_view ? run.facts.steps[in_view->step].index : -1;
    }
    /// Expects the step alone, where it stands in the run of digests.
    void expectTheStep(std::int64_t number, std::size_t slices) {
        ASSERT_EQ(window().session().runs().size(), 2U);
        EXPECT_TRUE(window().session().isPart(1));
        const AnalysedRun& whole = *window().session().runs()[0];
        const AnalysedRun& part = *window().session().runs()[1];
        ASSERT_EQ(part.run->ranks.size(), 1U);
        EXPECT_EQ(part.run->ranks[0]->health.slices, slices);
        EXPECT_TRUE(QString::fromStdString(part.run->name).endsWith(QStringLiteral("step %1").arg(number)));
        const auto start = [number](const AnalysedRun& run, RankPosition rank) {
            const auto& steps = run.facts.ranks[rank].steps;
            const auto step = std::ranges::find(steps, number, &RankStep::index);
            EXPECT_NE(step, steps.end());
            return step == steps.end() ? 0
                                       : run.clock.ranks[rank].toRun(FileTime(step->span.start_ns)) - run.clock.base_ns;
        };
        EXPECT_GT(start(whole, RankPosition(1)), 1'000'000);
        EXPECT_EQ(start(part, RankPosition(0)), start(whole, RankPosition(1))) << "they stand under one another";
    }
    static bool unreadable(const QString& args) { return args.contains(QStringLiteral("cannot be read")); }
};

TEST_F(WindowOfDigests, ComeBackWithASessionWithoutTheirTraces) {
    openDigest(digestOf("ZeroWorkers", "traces", "job.digest"));
    const int ranks = ranksOf();
    window().sessions().save(inFolder("mine.rankscope"));
    fs::remove_all(folder().path() / "traces");
    window().session().closeAll();
    ASSERT_TRUE(dropAndWait({inFolder("mine.rankscope")}));
    EXPECT_EQ(ranksOf(), ranks);
    EXPECT_FALSE(window().findChild<LocateOffer*>()->isVisible()) << "no file of the session is missing";
    window().session().closeAll();
    trigger("file.reopen");
    ASSERT_TRUE(waitUntilIdle());
    EXPECT_EQ(ranksOf(), ranks);
}

TEST_F(WindowOfDigests, AreComparedByTheirPaths) {
    const QString a = digestOf("ZeroWorkers", "traces-a", "a.digest");
    const QString b = digestOf("FourWorkers", "traces-b", "b.digest");
    window().compare({a}, {b});
    ASSERT_TRUE(QTest::qWaitFor([this] { return window().comparing().active(); }, kPatience));
}

TEST_F(WindowOfDigests, ADamagedRankMarksItselfAndNotItsFile) {
    const QString digest = digestOf("ZeroWorkers", "traces", "job.digest");
    {
        const Database database = Database::create(digest.toStdString());
        std::string columns;
        {
            Statement row =
                database.statement("SELECT columns FROM rank JOIN trace ON trace.rank = id WHERE number = 1");
            ASSERT_TRUE(row.next());
            columns = row.blob(0);
        }
        columns[columns.size() / 2] = static_cast<char>(columns[columns.size() / 2] ^ 0x10);
        database.statement("UPDATE trace SET columns = ? WHERE rank = (SELECT id FROM rank WHERE number = 1)")
            .bindBlob(columns)
            .run();
    }
    ASSERT_TRUE(openAndWait({digest}));
    const LoadingModel& model = window().loadingStrip().model();
    EXPECT_EQ(model.count(FileState::Failed), 1);
    EXPECT_TRUE(test::holds(problems(), {"job.digest: rank 1 cannot be read"}));
    const QString words = stripWords();
    EXPECT_TRUE(test::holds(words, {"1 rank could not be read", "The rest of job.digest is open"}));
}

TEST_F(WindowOfDigests, SayThatTheirTracesAreElsewhereAndAreMappedToWhereTheyAre) {
    LocateOffer* offer = openWithoutTraces();
    ASSERT_NE(offer, nullptr);
    const QString words = offer->findChild<QLabel*>()->text();
    EXPECT_TRUE(words.contains(inFolder("cluster/job"))) << words.toStdString();
    EXPECT_TRUE(unreadable(argsOfASlice()));

    Q_EMIT offer->located(inFolder("job.digest-parts"));
    EXPECT_TRUE(QTest::qWaitFor(
        [&] { return offer->findChild<QLabel*>()->text().contains(QStringLiteral("None of these traces")); },
        kPatience));
    Q_EMIT offer->located(inFolder("mounted"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return !offer->isVisible(); }, kPatience));
    const DetailsPanel& details = workspace().details();
    EXPECT_TRUE(QTest::qWaitFor([&] { return !unreadable(details.argsText()); }, kPatience))
        << "what was shown is read again: " << details.argsText().toStdString();

    window().sessions().save(inFolder("mine.rankscope"));
    MainWindow next(settings());
    next.show();
    next.sessions().open(inFolder("mine.rankscope"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return !next.session().loader().busy(); }, kPatience));
    EXPECT_EQ(next.session().pathMap(), window().session().pathMap()) << "the session keeps where they are";
    EXPECT_FALSE(next.session().pathMap().empty());
}

TEST_F(WindowOfDigests, AStepOfARankIsOpenedFromItsTrace) {
    openDigest(digestOf("ZeroWorkers", "traces", "job.digest"));
    EXPECT_FALSE(unreadable(argsOfASlice()));
    const std::int64_t number = openLastStep();
    ASSERT_EQ(window().session().runs().size(), 2U);
    const AnalysedRun& run = *window().session().runs().front();
    const RankPosition rank(1);
    const AnalysedRun& opened = *window().session().runs()[1];
    ASSERT_EQ(opened.run->ranks.size(), 1U);
    EXPECT_EQ(opened.run->ranks[0]->rank, run.run->ranks[rank]->rank);
    EXPECT_TRUE(opened.run->ranks[0]->files.front().digest.empty()) << "from the trace itself";
    EXPECT_LT(opened.run->ranks[0]->health.slices, run.run->ranks[rank]->health.slices) << "one step of several";
    EXPECT_TRUE(std::ranges::any_of(opened.facts.steps, [&](const RunStep& each) { return each.index == number; }));
    EXPECT_TRUE(QString::fromStdString(opened.run->name).endsWith(QStringLiteral("step %1").arg(number)))
        << opened.run->name;
    EXPECT_FALSE(window().findChild<CompareOffer*>()->isVisible()) << "a part is not compared with the run it is of";
    ASSERT_TRUE(QTest::qWaitFor(
        [this] {
            const LayoutRow* marked = workspace().timeline().namedRow();
            return marked != nullptr && marked->run == 1U;
        },
        kPatience))
        << "what was asked for is marked";
    workspace().timeline().settle();
    const auto& own = opened.facts.ranks[0].steps;
    const auto asked = std::ranges::find(own, number, &RankStep::index);
    ASSERT_NE(asked, own.end());
    const TimeSpan on_axis = opened.clock.ranks[0].toRun(FileSpan(asked->span));
    const TimeSpan seen = workspace().timeline().viewport().window();
    EXPECT_LE(seen.start_ns, on_axis.start_ns - opened.clock.base_ns) << "and in sight";
    EXPECT_GE(seen.end_ns, on_axis.end_ns - opened.clock.base_ns);
    EXPECT_LT(seen.length(), 2 * on_axis.length());
}

TEST_F(WindowOfDigests, AStepOfARankIsRestoredAtItsPlace) {
    openDigest(digestOf("ZeroWorkers", "traces", "job.digest"));
    const std::int64_t number = openLastStep();
    ASSERT_EQ(window().session().runs().size(), 2U);
    const std::size_t slices = window().session().runs()[1]->run->ranks[0]->health.slices;
    expectTheStep(number, slices);
    window().session().close(1);
    trigger("file.reopen");
    ASSERT_TRUE(waitUntilIdle());
    expectTheStep(number, slices);
    window().sessions().save(inFolder("mine.rankscope"));
    window().session().closeAll();
    ASSERT_TRUE(openAndWait({inFolder("mine.rankscope")}));
    expectTheStep(number, slices);
    EXPECT_TRUE(window().session().analyseAgain());
    ASSERT_TRUE(QTest::qWaitFor([this] { return !window().session().reanalysis().busy(); }, kPatience));
    expectTheStep(number, slices);
}

TEST_F(WindowOfDigests, AStepIsOpenedFromItsTraceOnlyWhereDigestsAreOpen) {
    const QAction* command = action("file.open-step");
    EXPECT_FALSE(command->isEnabled());
    ASSERT_TRUE(openAndWait({writeRank(0)}));
    EXPECT_FALSE(command->isEnabled()) << "a trace is all there";
    openDigest(digestOf("ZeroWorkers", "traces", "job.digest"));
    EXPECT_TRUE(command->isEnabled());
    window().session().closeAll();
    EXPECT_FALSE(command->isEnabled());
}

TEST_F(WindowOfDigests, ToOpenAStepOfNothingThatIsSelectedIsNoFailure) {
    openDigest(digestOf("ZeroWorkers", "traces", "job.digest"));
    workspace().timeline().settle();
    workspace().timeline().select({});
    trigger("file.open-step");
    EXPECT_TRUE(stripWords().contains(QStringLiteral("Select something on the rank"))) << stripWords().toStdString();
    EXPECT_FALSE(stripWords().contains(QStringLiteral("Something went wrong"))) << stripWords().toStdString();
    EXPECT_EQ(window().loadingStrip().model().count(FileState::Failed), 0);
}

TEST_F(WindowOfDigests, AStepThatCannotBeOpenedLeavesTheNumberOfTracesThatAreElsewhere) {
    LocateOffer* offer = openWithoutTraces();
    ASSERT_NE(offer, nullptr);
    const QString before = offer->findChild<QLabel*>()->text();
    EXPECT_TRUE(before.contains(QStringLiteral("The traces of 4 digests"))) << before.toStdString();
    offer->hide();  // not now
    (void)argsOfASlice();
    workspace().timeline().showStep(0, RankPosition(1), RankStepPosition(0));
    trigger("file.open-step");
    ASSERT_TRUE(QTest::qWaitFor([&] { return offer->isVisible(); }, kPatience)) << problems().toStdString();
    EXPECT_TRUE(offer->findChild<QLabel*>()->text().startsWith(before));
    Q_EMIT offer->located(inFolder("mounted"));
    EXPECT_TRUE(QTest::qWaitFor([&] { return !offer->isVisible(); }, kPatience));
    EXPECT_FALSE(window().loadingStrip().isVisible()) << "nothing of it stays: " << problems().toStdString();
}

TEST_F(WindowOfDigests, TracesThatGoWhileTheWindowIsOpenAreFoundInTheFolderThatIsNamed) {
    openDigest(digestOf("ZeroWorkers", "cluster/job", "job.digest"));
    EXPECT_FALSE(unreadable(argsOfASlice()));
    fs::create_directories(folder().path() / "mounted");
    fs::rename(folder().path() / "cluster/job", folder().path() / "mounted/job");
    workspace().timeline().showStep(0, RankPosition(1), RankStepPosition(0));
    trigger("file.open-step");
    LocateOffer* offer = traces();
    ASSERT_NE(offer, nullptr);
    ASSERT_TRUE(QTest::qWaitFor([&] { return offer->isVisible(); }, kPatience)) << problems().toStdString();
    Q_EMIT offer->located(inFolder("mounted"));
    EXPECT_TRUE(QTest::qWaitFor([&] { return !offer->isVisible(); }, kPatience))
        << offer->findChild<QLabel*>()->text().toStdString();
    EXPECT_FALSE(window().session().pathMap().empty());
}

TEST_F(WindowOfDigests, ArgsOfATraceThatIsElsewhereNameWhatFindsItInTheWindow) {
    const QString digest = digestOf("ZeroWorkers", "cluster/job", "job.digest");
    fs::remove_all(folder().path() / "cluster/job");
    openDigest(digest);
    EXPECT_TRUE(argsOfASlice().contains(QStringLiteral("Locate Folder"))) << argsOfASlice().toStdString();
}

TEST_F(WindowOfDigests, AStepWhoseTraceIsElsewhereSaysWhereItIsAndWhatToDo) {
    openDigest(digestOf("ZeroWorkers", "traces", "job.digest"));
    (void)argsOfASlice();  // a slice before the first step: what is in view then is for the step to say
    workspace().timeline().showStep(0, RankPosition(1), RankStepPosition(0));
    ASSERT_TRUE(workspace().timeline().stepInView().has_value());
    fs::remove_all(folder().path() / "traces");
    trigger("file.open-step");
    ASSERT_TRUE(QTest::qWaitFor([&] { return traces()->isVisible(); }, kPatience)) << problems().toStdString();
    const QString words = traces()->findChild<QLabel*>()->text();
    EXPECT_TRUE(words.contains(inFolder("traces")) && words.contains(QStringLiteral("rank 1"))) << words.toStdString();
    EXPECT_FALSE(window().loadingStrip().isVisible()) << "it is said once: " << problems().toStdString();
    EXPECT_EQ(window().session().runs().size(), 1U);
}

/// A script in ssh's place, which runs the commands on this machine.
class WindowOfAnotherMachine : public WindowOfDigests {
  protected:
    void TearDown() override {
        qunsetenv("RANKSCOPE_SSH");
        qunsetenv("XDG_CACHE_HOME");
        WindowOfDigests::TearDown();
    }
    void sshDoes(const std::string& script) const {
        const std::string path = folder().write("ssh", "#!/bin/sh\n" + script);
        fs::permissions(path, fs::perms::owner_all);
        qputenv("RANKSCOPE_SSH", QByteArray::fromStdString(path));
        qputenv("XDG_CACHE_HOME", inFolder("cache").toUtf8());
    }
    void sshObeys() const { sshDoes("for command; do :; done\nexec sh -c \"$command\"\n"); }
    void dropData(const QMimeData& data) {
        const QPoint middle = window().rect().center();
        QDragEnterEvent enter(middle, Qt::CopyAction | Qt::MoveAction, &data, Qt::LeftButton, {});
        QApplication::sendEvent(&window(), &enter);
        ASSERT_TRUE(enter.isAccepted());
        QDropEvent event(middle, Qt::CopyAction | Qt::MoveAction, &data, Qt::LeftButton, {});
        QApplication::sendEvent(&window(), &event);
    }
};

TEST_F(WindowOfAnotherMachine, APathOfItIsOpenedWhereItIsDroppedAsTextOrAsAnAddress) {
    const QString digest = digestOf("ZeroWorkers", "traces", "job.digest");
    sshObeys();
    QMimeData as_text;
    as_text.setText(QStringLiteral("ssh://there") + digest);
    dropData(as_text);
    ASSERT_TRUE(waitUntilIdle());
    EXPECT_GT(ranksOf(), 1) << problems().toStdString();
    window().session().closeAll();
    QMimeData as_address;
    as_address.setUrls({QUrl(QStringLiteral("ssh://there") + digest)});
    dropData(as_address);
    ASSERT_TRUE(waitUntilIdle());
    EXPECT_GT(ranksOf(), 1) << problems().toStdString();
}

TEST_F(WindowOfAnotherMachine, APathOfItIsTypedLikeAny) {
    const QString digest = digestOf("ZeroWorkers", "traces", "job.digest");
    sshObeys();
    QTimer::singleShot(0, &window(), [&] {
        auto* dialog = window().findChild<QInputDialog*>();
        ASSERT_NE(dialog, nullptr);
        QTest::keyClicks(dialog->findChild<QLineEdit*>(), QStringLiteral("ssh://there") + digest);
        QTest::keyClick(dialog->findChild<QLineEdit*>(), Qt::Key_Return);
    });
    trigger("file.open-path");
    ASSERT_TRUE(waitUntilIdle());
    EXPECT_GT(ranksOf(), 1) << problems().toStdString();
    EXPECT_EQ(window().requests().recent().entries().front().front(), QStringLiteral("ssh://there") + digest)
        << "as it was typed, to be opened again";
}

TEST_F(WindowOfAnotherMachine, LogsThatWerePackedNextToADigestOpenWithIt) {
    const QString digest = digestOf("ZeroWorkers", "traces", "job.digest");
    test::writeZip(folder().path() / "job.companions.zip", {{"logs/rank0.log", test::LogText(2).start().text()}});
    sshObeys();
    ASSERT_TRUE(openAndWait({QStringLiteral("ssh://there") + digest}));
    EXPECT_GT(ranksOf(), 1) << problems().toStdString();
    EXPECT_EQ(window().session().runs().size(), 1U);
    ASSERT_NE(window().session().companions().logs, nullptr) << problems().toStdString();
    EXPECT_EQ(window().session().companions().logs->files.size(), 1U);
}

TEST_F(WindowOfAnotherMachine, WhatCannotBeReachedIsARowThatSaysWhy) {
    sshDoes("echo 'Host key verification failed.' >&2; exit 255\n");
    ASSERT_TRUE(openAndWait({QStringLiteral("ssh://login1/scratch/run")}));
    EXPECT_TRUE(problems().contains(QStringLiteral("the key of login1 is not known here"))) << problems().toStdString();
    EXPECT_TRUE(stripWords().contains(QStringLiteral("run could not be opened"))) << stripWords().toStdString();
    EXPECT_FALSE(stripWords().contains(QStringLiteral("files"))) << "a machine is none: " << stripWords().toStdString();
}

TEST_F(WindowOfAnotherMachine, AnErrorIsReadableAsAWholeInItsRow) {
    sshDoes("echo 'Host key verification failed.' >&2; exit 255\n");
    window().resize(700, 600);
    ASSERT_TRUE(openAndWait({QStringLiteral("ssh://login1/scratch/run")}));
    QCoreApplication::processEvents();
    const auto* rows = window().loadingStrip().findChild<QTableView*>();
    const QModelIndex why = rows->model()->index(0, LoadingModel::kState);
    const QRect place = rows->visualRect(why);
    const QRect words = rows->fontMetrics().boundingRect(QRect(0, 0, place.width() - 18, QWIDGETSIZE_MAX),
                                                         Qt::TextWordWrap, why.data().toString());
    EXPECT_GT(words.height(), rows->fontMetrics().height()) << "it is long";
    EXPECT_GE(place.height(), words.height());
    EXPECT_GE(rows->viewport()->height(), place.bottom());
}

TEST_F(WindowOfAnotherMachine, ACopyThatIsCancelledEndsAtOnce) {
    sshDoes("exec sleep 50\n");
    window().open({QStringLiteral("ssh://there/scratch/run.digest")});
    QTest::qWait(300);
    ASSERT_TRUE(window().session().loader().busy());
    auto* button = window().loadingStrip().findChild<QPushButton*>();
    QTest::mouseClick(button, Qt::LeftButton);
    EXPECT_TRUE(QTest::qWaitFor([this] { return !window().session().loader().busy(); }, 5'000));
    EXPECT_TRUE(stripWords().contains(QStringLiteral("Nothing was read yet"))) << stripWords().toStdString();
}

}  // namespace
}  // namespace rankscope::ui
