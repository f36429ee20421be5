// SPDX-License-Identifier: GPL-3.0-or-later
// The window in a language that nobody speaks: every text that is translated stands in brackets and is longer. What has
// none has escaped tr(), and what is cut has no room for longer words.
#include <QComboBox>
#include <QDialog>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QPushButton>
#include <QRegularExpression>
#include <QTabBar>
#include <QTableWidget>
#include <QTextBrowser>
#include <QTextDocumentFragment>
#include <QTranslator>
#include <set>

#include "tests/ui/window/compare_fixture.h"
#include "tests/ui/window/whole_window.h"
#include "ui/charts/charts_panel.h"
#include "ui/charts/run_chart.h"
#include "ui/panels/communication/grid_panel.h"
#include "ui/panels/compute/calls_panel.h"
#include "ui/panels/diagnosis/explanation_panel.h"
#include "ui/theme/core_text.h"
#include "ui/theme/spoken.h"
#include "ui/timeline/frame/frame.h"
#include "ui/timeline/overview.h"
#include "ui/window/help/translations.h"

namespace rankscope::ui {
namespace {

/// What stands in a text and is kept as it is: values, mnemonics, markup.
const QRegularExpression& kept() {
    static const QRegularExpression pattern(QStringLiteral(R"(%L?\d+|%n|\{[a-z_0-9]*\}|&|<[^>]*>|%[dg]|%%)"));
    return pattern;
}

/// `words` with accents, a good third longer, in brackets.
QString pseudo(const QString& words) {
    static const QString from = QStringLiteral("aeiouAEIOUcnsy");
    static const QString to = QStringLiteral("àéîöûÀÉÎÖÛçñšý");
    QString out;
    qsizetype letters = 0;
    for (qsizetype at = 0; at < words.size();) {
        const QRegularExpressionMatch match =
            kept().match(words, at, QRegularExpression::NormalMatch, QRegularExpression::AnchorAtOffsetMatchOption);
        if (match.hasMatch()) {
            out += match.captured();
            at = match.capturedEnd();
            continue;
        }
        const QChar letter = words[at++];
        const qsizetype which = from.indexOf(letter);
        out += which >= 0 ? to[which] : letter;
        letters += letter.isLetter() ? 1 : 0;
    }
    for (qsizetype more = (letters * 4 + 9) / 10; more > 0; more -= 4) {
        out += more > 4 ? QStringLiteral(" ~~~") : QString(more, QLatin1Char('~'));
    }
    return QLatin1Char('[') + out + QLatin1Char(']');
}

/// Translates each text of the window, and of core what a translator is given.
class PseudoTranslator : public QTranslator {
  public:
    PseudoTranslator() {
        for (const QString& text : coreTexts()) {
            of_core_.insert(text);
        }
    }
    [[nodiscard]] bool isEmpty() const override { return false; }
    [[nodiscard]] QString translate(const char* context, const char* source, const char* key,
                                    int /*count*/) const override {
        const QString text = QString::fromUtf8(source);
        if (qstrcmp(context, "core") == 0 && key == nullptr && !of_core_.contains(text)) {
            return {};
        }
        return text.isEmpty() ? QString() : pseudo(text);
    }

  private:
    std::set<QString> of_core_;
};

/// What stays as it is in every language: names from the files, units, names of keys and of the program.
bool isData(const QString& words) {
    static const QRegularExpression data(QStringLiteral(
        R"(^(ZeroWorkers|FourWorkers|Rankscope|CPU|CUDA|ns|µs|us|ms|kB|MB|GB|TB|ppm|MB/s|GB/s|\w+_\w+|/.*)$)"));
    return data.match(words).hasMatch();
}

/// The words of a text that are neither translated nor data: what stands in brackets, numbers and signs are taken out.
QStringList escapedWords(QString text, const QStringList& data) {
    for (qsizetype close = text.indexOf(QLatin1Char(']')); close >= 0; close = text.indexOf(QLatin1Char(']'))) {
        const qsizetype open = text.lastIndexOf(QLatin1Char('['), close);
        if (open < 0) {
            break;
        }
        text.remove(open, close - open + 1);  // from inside out: values may be translated themselves
    }
    for (const QString& one : data) {
        text.remove(one);
    }
    text.remove(QString::fromStdString(test::sourceFolder().string()));  // of the samples, whatever it is called
    static const QRegularExpression no_letter(QStringLiteral("[^\\p{L}/_]+"));
    QStringList escaped;
    for (const QString& word : text.split(no_letter, Qt::SkipEmptyParts)) {
        if (word.size() > 1 && !isData(word)) {
            escaped << word;
        }
    }
    return escaped;
}

/// As long as it lives, texts are translated.
class Installed {
  public:
    Installed() { QCoreApplication::installTranslator(&translator_); }
    ~Installed() { QCoreApplication::removeTranslator(&translator_); }
    Installed(const Installed&) = delete;
    Installed& operator=(const Installed&) = delete;
    Installed(Installed&&) = delete;
    Installed& operator=(Installed&&) = delete;

  private:
    PseudoTranslator translator_;
};

/// The window of the fixture was made before: what is looked at is one that is made in the other language.
class PseudoTranslation : public CompareWindow {
  protected:
    void SetUp() override {
        window().hide();
        shown_ = std::make_unique<MainWindow>(own_settings_);
        shown_->resize(1280, 720);
        shown_->show();
        shown_->activateWindow();
        (void)QTest::qWaitForWindowActive(shown_.get());
    }

    MainWindow& shown() { return *shown_; }
    Workspace& workspace() { return shown().workspace(); }

    void openSample() {
        shown().open({zero()});
        ASSERT_TRUE(QTest::qWaitFor([this] { return !shown().session().loader().busy(); }, kPatience));
        QCoreApplication::processEvents();
        workspace().timeline().settle();
        noteNames();
    }
    /// What the files call things: it stays as it is.
    void noteNames() {
        std::set<QString> names;
        OpenRuns runs = shown().session().runs();
        if (const auto& pair = shown().compareView().compared()) {
            runs.insert(runs.end(), {pair->a, pair->b});
        }
        for (const auto& run : runs) {
            for (const auto& rank : run->run->ranks) {
                names.insert(QString::fromStdString(rank->host));
                for (const DeviceProperties& device : rank->devices) {
                    names.insert(QString::fromStdString(device.name));
                }
                for (const Track& track : rank->tracks) {
                    names.insert(QString::fromStdString(std::string(track.name)));
                    for (const StringId name : track.slices.name) {
                        names.insert(QString::fromUtf8(rank->strings.view(name)).simplified());
                    }
                }
            }
        }
        for (const QString& name : names) {
            if (name.size() > 3) {
                data_ << name;
            }
        }
        std::ranges::sort(data_, std::ranges::greater(), [](const QString& name) { return name.size(); });
    }

    void expectBracketed(const QString& text, const std::string& where) {
        QString plain = text;
        if (Qt::mightBeRichText(plain)) {
            plain = QTextDocumentFragment::fromHtml(plain).toPlainText();
        }
        plain.remove(QLatin1Char('&'));
        const QStringList escaped = escapedWords(plain, data_);
        EXPECT_TRUE(escaped.isEmpty()) << where << " says in English \"" << escaped.join(QLatin1Char(' ')).toStdString()
                                       << "\" in: " << plain.left(300).toStdString();
    }

    /// Whether a widget shows names from files: its own texts are told apart by hand.
    static bool showsData(const QWidget& widget) {
        static const QStringList names = {QStringLiteral("args")};
        return names.contains(widget.objectName());
    }

    void expectHeaders(const QAbstractItemView& view, const std::string& where) {
        const QAbstractItemModel* model = view.model();
        for (int column = 0; model != nullptr && column < model->columnCount(); ++column) {
            expectBracketed(model->headerData(column, Qt::Horizontal).toString(), where + ", a title");
        }
    }

    /// The first rows of a table; what is cut cannot be told from data.
    void expectCells(const QAbstractItemView& view, const std::string& where) {
        const QAbstractItemModel* model = view.model();
        for (int row = 0; model != nullptr && row < std::min(model->rowCount(), 6); ++row) {
            for (int column = 0; column < model->columnCount(); ++column) {
                const QString words = model->index(row, column).data().toString();
                if (!words.contains(QChar(0x2026))) {
                    expectBracketed(words, where + ", a cell");
                }
            }
        }
    }

    /// Links lead to slices and have their names, and what stands in a title is a slice.
    void expectDocument(const QTextBrowser& document, const std::string& where) {
        QString html = document.toHtml();
        static const QRegularExpression names(QStringLiteral("<a href=\"[^\"]*\">.*?</a>|<h3.*?</h3>"),
                                              QRegularExpression::DotMatchesEverythingOption);
        html.remove(names);
        expectBracketed(QTextDocumentFragment::fromHtml(html).toPlainText(), where);
    }

    void expectTranslated(QWidget& root) {
        QList<QWidget*> widgets = root.findChildren<QWidget*>();
        widgets.prepend(&root);
        for (QWidget* widget : widgets) {
            const std::string where =
                std::string(widget->metaObject()->className()) + " " + widget->objectName().toStdString();
            expectBracketed(widget->toolTip(), where + ", its tip");
            expectBracketed(widget->accessibleName(), where + ", its name");
            if (!widget->isVisibleTo(&root) || showsData(*widget)) {
                continue;
            }
            if (const auto* label = qobject_cast<QLabel*>(widget)) {
                expectBracketed(label->text(), where);
            } else if (const auto* button = qobject_cast<QAbstractButton*>(widget)) {
                expectBracketed(button->text(), where);
            } else if (const auto* field = qobject_cast<QLineEdit*>(widget)) {
                expectBracketed(field->placeholderText(), where);
            } else if (const auto* box = qobject_cast<QComboBox*>(widget)) {
                for (int i = 0; i < box->count(); ++i) {
                    expectBracketed(box->itemText(i), where);
                }
            } else if (const auto* tabs = qobject_cast<QTabBar*>(widget)) {
                for (int i = 0; i < tabs->count(); ++i) {
                    expectBracketed(tabs->tabText(i), where);
                    expectBracketed(tabs->tabToolTip(i), where);
                }
            } else if (const auto* document = qobject_cast<QTextBrowser*>(widget)) {
                expectDocument(*document, where);
            } else if (const auto* view = qobject_cast<QAbstractItemView*>(widget)) {
                if (qobject_cast<const QHeaderView*>(widget) == nullptr) {
                    expectHeaders(*view, where);
                    expectCells(*view, where);
                }
            }
            if (const auto* spoken = dynamic_cast<const Spoken*>(widget)) {
                expectBracketed(spoken->spokenContent(), where + ", what it shows");
            }
        }
        for (const QAction* action : root.findChildren<QAction*>()) {
            expectBracketed(action->text(), "an action");
            expectBracketed(action->toolTip(), "the tip of an action");
        }
    }

    static void expectRoom(const QLabel& label) {
        const bool gives = label.wordWrap() || label.sizePolicy().horizontalPolicy() == QSizePolicy::Ignored;
        if (!gives && !label.text().isEmpty()) {
            EXPECT_GE(label.width(), label.sizeHint().width()) << label.text().toStdString();
        }
    }
    static void expectRoom(const QPushButton& button) {
        const int words = button.fontMetrics().horizontalAdvance(QString(button.text()).remove(QLatin1Char('&')));
        EXPECT_GE(button.width(), words) << button.text().toStdString();
    }
    static void expectRoom(const QHeaderView& header) {
        const bool cuts = header.textElideMode() != Qt::ElideNone;  // with dots: one sees that there is more
        for (int i = 0; !cuts && i < header.count(); ++i) {
            EXPECT_GE(header.sectionSize(i), header.sectionSizeHint(i)) << "column " << i;
        }
    }
    static void expectRoom(const QTabBar& tabs) {
        for (int i = 0; i < tabs.count(); ++i) {
            const int words = tabs.isTabVisible(i) ? tabs.fontMetrics().horizontalAdvance(tabs.tabText(i)) : 0;
            EXPECT_GE(tabs.tabRect(i).width(), words) << tabs.tabText(i).toStdString();
        }
    }

    /// No label, button, title or tab is narrower than its words, and the window is not wider for them.
    void expectRoomIn(QWidget& root) {
        EXPECT_LE(shown().width(), 1280) << "longer words make the window wider";
        for (QWidget* widget : root.findChildren<QWidget*>()) {
            if (!widget->isVisible()) {
                continue;
            }
            SCOPED_TRACE(widget->metaObject()->className());
            if (const auto* label = qobject_cast<QLabel*>(widget)) {
                expectRoom(*label);
            } else if (const auto* button = qobject_cast<QPushButton*>(widget)) {
                expectRoom(*button);
            } else if (const auto* header = qobject_cast<QHeaderView*>(widget)) {
                expectRoom(*header);
            } else if (const auto* tabs = qobject_cast<QTabBar*>(widget)) {
                expectRoom(*tabs);
            }
        }
    }

    /// What is painted beside and over the tracks: slices are called what the files call them.
    void expectPainted(TimelineWidget& timeline) {
        timeline.settle();
        int steps = 0;
        for (const FrameLabel& label : timeline.frame().labels) {
            if (label.role != FrameLabel::Role::Slice) {
                expectBracketed(label.text, "a label of the timeline");
                steps += label.role == FrameLabel::Role::Step ? 1 : 0;
            }
        }
        EXPECT_GT(steps, 0);
        for (std::size_t i = 0; i < timeline.spokenParts(); ++i) {
            const SpokenPart row = timeline.spokenPart(i);
            expectBracketed(row.name, "the name of a row");
            expectBracketed(row.about, "what is said of a row");
        }
        for (const Overview::RowName& name : timeline.overview().rowNames()) {
            expectBracketed(name.name, "a rank in the overview");
        }
    }

    void run(const char* command) { shown().commands().action(QLatin1String(command))->trigger(); }

  private:
    Installed translator_;
    QSettings own_settings_{inFolder("pseudo.ini"), QSettings::IniFormat};
    QStringList data_;
    std::unique_ptr<MainWindow> shown_;
};

TEST_F(PseudoTranslation, KeepsPlacesForValuesAndLettersForKeys) {
    const QString words = pseudo(QStringLiteral("&Open %1 of {count} files"));
    EXPECT_TRUE(words.startsWith(QStringLiteral("[&Öpéñ %1 öf {count} fîléš")));
    EXPECT_GE(words.size(), 25 + 2 + 11 * 4 / 10);
    EXPECT_EQ(escapedWords(QStringLiteral("[à] Rank [b 3 ms]"), {}), QStringList{QStringLiteral("Rank")});
}

TEST_F(PseudoTranslation, ReachesTheWelcomePage) {
    expectTranslated(shown());
    expectRoomIn(shown());
}

TEST_F(PseudoTranslation, ReachesTheWorkspaceWithEachPanel) {
    openSample();
    forEachPanel(shown(), [this] {
        expectTranslated(shown());
        expectRoomIn(shown());
    });
}

TEST_F(PseudoTranslation, ReachesTheMapOfTheGridAndTheEvidenceOfRoles) {
    openSample();
    workspace().showBelow(workspace().grid());
    test::waitUntilQuiet(shown());
    auto* groups = workspace().grid().findChild<QTableWidget*>();
    ASSERT_GT(groups->rowCount(), 0);
    groups->selectRow(0);
    expectTranslated(workspace().grid());
    EXPECT_TRUE(workspace().grid().findChild<QTextBrowser*>()->isVisible());
    const GridMap& map = workspace().grid().map();
    for (std::size_t i = 0; i < map.spokenParts(); ++i) {
        expectBracketed(map.tipOf(i), "the tip of a cell");
    }
}

TEST_F(PseudoTranslation, ReachesFindingsAndTheirExplanation) {
    openSample();
    run("go.next-finding");
    QCoreApplication::processEvents();
    const QString told = workspace().explanation().text();
    EXPECT_TRUE(told.contains(QStringLiteral("[Sét "))) << told.toStdString();
    EXPECT_TRUE(told.startsWith(QLatin1Char('['))) << told.left(200).toStdString();
    expectTranslated(workspace());
}

TEST_F(PseudoTranslation, ReachesTheValuesInSentences) {
    openSample();
    static const QRegularExpression english(QStringLiteral("\\b(steps?|ranks?|median|mean|times?)\\b"));
    ASSERT_FALSE(shown().session().runs()[0]->diagnosis.findings.empty());
    for (const Finding& finding : shown().session().runs()[0]->diagnosis.findings) {
        QStringList told{text(finding.summary), text(finding.why)};
        for (const std::string& why : finding.why_confidence) {
            told << text(why);
        }
        for (const QString& words : told) {
            EXPECT_FALSE(english.match(words).hasMatch()) << words.toStdString();
        }
    }
}

TEST_F(PseudoTranslation, ReachesTheCharts) {
    openSample();
    forEachChart(shown(), [this](RunChart& chart) {
        for (const QAbstractSeries* series : chart.chart().series()) {
            expectBracketed(series->name(), "a series of a chart");
        }
        expectTranslated(workspace().charts());
    });
}

TEST_F(PseudoTranslation, ReachesPaintedTexts) {
    openSample();
    expectPainted(workspace().timeline());
    run("rows.counters");
    run("go.next-gap");
    expectPainted(workspace().timeline());
    for (const QString& words : workspace().timeline().selectionWords()) {
        expectBracketed(words, "what is said of a gap");
    }
}

TEST_F(PseudoTranslation, ReachesTheGuide) {
    openSample();
    run("help.guide");
    QCoreApplication::processEvents();
    expectTranslated(shown());
}

TEST_F(PseudoTranslation, ReachesTheComparison) {
    shown().compare({zero()}, {four()});
    ASSERT_TRUE(
        QTest::qWaitFor([this] { return shown().comparing().active() && !shown().compareView().busy(); }, kPatience));
    QCoreApplication::processEvents();
    noteNames();
    for (std::size_t page = 0; page < kComparePages; ++page) {
        shown().compareView().panel().showPage(static_cast<ComparePage>(page));
        QCoreApplication::processEvents();
        expectTranslated(shown());
        expectRoomIn(shown());
    }
}

TEST_F(PseudoTranslation, ReachesEachDialog) {
    openSample();
    for (const char* command : {"help.keys", "help.change-keys", "help.legend", "help.patterns", "help.about",
                                "file.compare", "job.describe", "help.commands", "rows.find"}) {
        inDialogOf(shown(), command, [this](QWidget& dialog) {
            expectBracketed(dialog.windowTitle(), "the title of a dialog");
            expectTranslated(dialog);
            expectRoomIn(dialog);
        });
    }
}

TEST_F(PseudoTranslation, ReachesTheMenus) {
    for (const QAction* menu : shown().menuBar()->actions()) {
        expectBracketed(menu->text(), "a menu");
        for (const QAction* action : menu->menu()->actions()) {
            expectBracketed(action->text(), "an entry of a menu");
        }
    }
}

TEST(Translations, WithoutAFileEnglishStays) {
    const test::TempFolder none;
    EXPECT_FALSE(installTranslations(*QCoreApplication::instance(), QLocale(QStringLiteral("de")),
                                     QString::fromStdString(none.path().string())));
    EXPECT_EQ(coreText("DataLoader"), QStringLiteral("DataLoader"));
    EXPECT_FALSE(speaksAnotherLanguage());
}

TEST(Translations, EnglishHasItsPlurals) {
    EXPECT_EQ(plural(QStringLiteral("%1 slice(s)"), 1), QStringLiteral("%1 slice"));
    EXPECT_EQ(plural(QStringLiteral("%1 slice(s)"), 0), QStringLiteral("%1 slices"));
    EXPECT_EQ(plural(QStringLiteral("%1 slice(s)"), 12), QStringLiteral("%1 slices"));
}

}  // namespace
}  // namespace rankscope::ui
