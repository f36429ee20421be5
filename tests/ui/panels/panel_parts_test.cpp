// SPDX-License-Identifier: GPL-3.0-or-later
// The parts that panels are made of: text with links, paragraphs, cells of tables, one run's section of findings.
#include <gtest/gtest.h>

#include <QAbstractTextDocumentLayout>
#include <QPainter>
#include <QPointer>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalSpy>
#include <QStandardItemModel>
#include <QTest>
#include <QTextBlock>
#include <QVBoxLayout>
#include <memory>

#include "tests/ui/panels/hand_made_run.h"
#include "ui/panels/diagnosis/diagnoses_panel.h"
#include "ui/panels/diagnosis/finding_card.h"
#include "ui/panels/shared/rich_text.h"
#include "ui/widgets/cell_delegate.h"
#include "ui/widgets/deferred_panel.h"
#include "ui/widgets/linked_label.h"
#include "ui/widgets/stacked_bar.h"
#include "ui/widgets/waterfall_delegate.h"
#include "ui/widgets/wrapped_label.h"

namespace rankscope::ui {
namespace {

using test::HandMadeRun;

QString paragraphs(int count, const QString& words) {
    return QStringLiteral("<p>%1</p>").arg(words).repeated(count);
}

class RichTextShown : public testing::Test {
  protected:
    void SetUp() override {
        text.resize(300, 200);
        text.show();
        text.write(paragraphs(60, QStringLiteral("a long explanation")), theme);
        ASSERT_TRUE(text.verticalScrollBar()->isVisible());
    }

    Theme theme = Theme::darkTheme();
    RichText text{QStringLiteral("Explanation")};
};

TEST_F(RichTextShown, LeavesWhatIsShownAlreadyWhereItIsScrolledTo) {
    text.verticalScrollBar()->setValue(40);
    text.write(paragraphs(60, QStringLiteral("a long explanation")), theme);
    EXPECT_EQ(text.verticalScrollBar()->value(), 40);
    text.write(paragraphs(60, QStringLiteral("another explanation")), theme);
    EXPECT_EQ(text.verticalScrollBar()->value(), 0);
}

TEST_F(RichTextShown, KeepsItsWidthWhileALongTextFollowsALongOne) {
    const QSize before = text.viewport()->size();
    bool changed = false;
    QObject::connect(text.document()->documentLayout(), &QAbstractTextDocumentLayout::documentSizeChanged, &text,
                     [&] { changed |= text.viewport()->size() != before; });
    text.write(paragraphs(50, QStringLiteral("another explanation")), theme);
    EXPECT_FALSE(changed) << "the text was laid out for a width that it does not have";
    EXPECT_EQ(text.viewport()->size(), before);
}

TEST_F(RichTextShown, HasAScrollBarOnlyWhileItsTextNeedsOne) {
    text.write(paragraphs(1, QStringLiteral("short")), theme);
    EXPECT_FALSE(text.verticalScrollBar()->isVisible());
    text.write(paragraphs(60, QStringLiteral("long again")), theme);
    EXPECT_TRUE(text.verticalScrollBar()->isVisible());
    EXPECT_GT(text.verticalScrollBar()->maximum(), 0);
}

TEST_F(RichTextShown, TakesTheColoursOfAnotherTheme) {
    text.write(QStringLiteral("<p>words</p>"), theme);
    text.write(QStringLiteral("<p>words</p>"), Theme::lightTheme());
    const QTextBlock words = text.document()->firstBlock();
    EXPECT_EQ(words.begin().fragment().charFormat().foreground().color(), Theme::lightTheme().text);
}

TEST(WrappedLabel, IsAsHighAsItsTextNeedsAtAWidth) {
    const WrappedLabel label(QStringLiteral("The device waits for input while one process loads it. ").repeated(6),
                             "plain");
    EXPECT_GT(label.heightForWidth(150), label.heightForWidth(600));
    EXPECT_GE(label.heightForWidth(600), label.fontMetrics().height());
    EXPECT_EQ(label.minimumSizeHint().width(), 0) << "a narrow column must not be widened by it";
}

TEST(WrappedLabel, GrowsWithItsFont) {
    WrappedLabel label(QStringLiteral("The device waits for input while one process loads it."), "plain");
    const int before = label.heightForWidth(150);
    QFont larger = label.font();
    larger.setPointSizeF(larger.pointSizeF() * 2);
    label.setFont(larger);
    EXPECT_GT(label.heightForWidth(150), before);
}

/// One cell, drawn as a table does on a white page.
class DrawnCell {
  public:
    static constexpr int kWidth = 160;
    static constexpr int kHeight = 26;

    DrawnCell(const QString& words, Qt::Alignment alignment, bool selected = false) {
        image_.fill(Qt::white);
        QStandardItemModel model(1, 1);
        auto* item = new QStandardItem(words);
        item->setForeground(QColor(Qt::red));
        item->setTextAlignment(alignment);
        model.setItem(0, 0, item);
        QPainter painter(&image_);
        QStyleOptionViewItem option;
        option.rect = image_.rect();
        option.textElideMode = Qt::ElideRight;
        option.state = QStyle::State_Enabled | (selected ? QStyle::State_Selected : QStyle::State_None);
        option.palette.setColor(QPalette::Highlight, Qt::yellow);
        CellDelegate().paint(&painter, option, model.index(0, 0));
    }

    /// The columns of pixels that hold ink, from the first to the last; an empty rectangle: none does.
    [[nodiscard]] QRect ink() const {
        QRect ink;
        for (int y = 0; y < kHeight; ++y) {
            for (int x = 0; x < kWidth; ++x) {
                const QColor at = image_.pixelColor(x, y);
                if (at.green() < 128 && at.red() > 128) {
                    ink |= QRect(x, y, 1, 1);
                }
            }
        }
        return ink;
    }
    [[nodiscard]] QColor corner() const { return image_.pixelColor(0, 0); }

  private:
    QImage image_{kWidth, kHeight, QImage::Format_RGB32};
};

TEST(CellDelegate, SetsNumbersAtTheRightAndNamesAtTheLeft) {
    const QRect name = DrawnCell(QStringLiteral("Hill"), Qt::AlignLeft | Qt::AlignVCenter).ink();
    const QRect number = DrawnCell(QStringLiteral("Hill"), Qt::AlignRight | Qt::AlignVCenter).ink();
    ASSERT_FALSE(name.isEmpty());
    EXPECT_EQ(name.size(), number.size());
    EXPECT_LT(name.left(), 16);
    EXPECT_GT(number.right(), DrawnCell::kWidth - 16);
    EXPECT_NEAR(name.center().y(), DrawnCell::kHeight / 2.0, 2);
}

TEST(CellDelegate, ElidesWhatIsWiderThanItsCell) {
    const QRect ink = DrawnCell(QString(80, QLatin1Char('H')), Qt::AlignLeft | Qt::AlignVCenter).ink();
    EXPECT_GT(ink.right(), DrawnCell::kWidth * 3 / 4);
    EXPECT_LT(ink.right(), DrawnCell::kWidth - 8) << "the padding stays free";
}

TEST(CellDelegate, DrawsNoPartOfANumberThatHasNoRoom) {
    const auto ink_of = [](const QString& digits) {
        return DrawnCell(digits, Qt::AlignRight | Qt::AlignVCenter).ink();
    };
    const QRect ink = ink_of(QString(80, QLatin1Char('8')));
    EXPECT_FALSE(ink.isEmpty());
    EXPECT_EQ(ink, ink_of(QString(60, QLatin1Char('1')))) << "dots, whatever the number is";
    EXPECT_GT(ink.left(), DrawnCell::kWidth / 2);
}

TEST(CellDelegate, ElidesALongNameAtTheSamePlaceForAnyRest) {
    const auto ink_of = [](int letters, QLatin1Char letter) {
        return DrawnCell(QString(letters, letter), Qt::AlignLeft | Qt::AlignVCenter).ink();
    };
    EXPECT_EQ(ink_of(100, QLatin1Char('H')), ink_of(5000, QLatin1Char('H')));
    EXPECT_EQ(ink_of(300, QLatin1Char('l')), ink_of(5000, QLatin1Char('l'))) << "of narrow letters more fit";
    EXPECT_GT(ink_of(5000, QLatin1Char('l')).right(), DrawnCell::kWidth * 3 / 4);
}

TEST(CellDelegate, KeepsTheColourOfADifferenceOnTheSelectedRow) {
    const DrawnCell cell(QStringLiteral("+3.0 ms"), Qt::AlignRight | Qt::AlignVCenter, true);
    EXPECT_EQ(cell.corner(), QColor(Qt::yellow));
    EXPECT_FALSE(cell.ink().isEmpty());
}

class CountedPanel : public DeferredPanel {
  public:
    void setRuns() { outdate(); }
    int filled = 0;

  private:
    void refresh() override { ++filled; }
};

TEST(DeferredPanel, IsFilledOnceWhenItIsSeenAfterAnyNumberOfChanges) {
    CountedPanel panel;
    panel.setRuns();
    panel.setRuns();
    EXPECT_EQ(panel.filled, 0);
    panel.show();
    EXPECT_EQ(panel.filled, 1);
    panel.hide();
    panel.show();
    EXPECT_EQ(panel.filled, 1) << "nothing changed meanwhile";
    panel.setRuns();
    EXPECT_EQ(panel.filled, 2) << "it is seen";
}

/// The run as it was before its analysis.
std::shared_ptr<const AnalysedRun> stillLoading(const AnalysedRun& run) {
    auto loading = std::make_shared<AnalysedRun>(run);
    loading->facts = {};
    loading->diagnosis = {};
    return loading;
}

TEST(DiagnosesPanel, ShowsFindingsInASeparateEventAndDisablesOldLinksUntilThen) {
    DiagnosesPanel panel(Theme::darkTheme());
    panel.resize(400, 700);
    panel.setRuns({HandMadeRun::make("ZeroWorkers")});
    EXPECT_TRUE(panel.busy());
    EXPECT_EQ(panel.findChild<FindingCard*>(), nullptr);
    panel.show();
    QCoreApplication::processEvents();
    EXPECT_FALSE(panel.busy());
    const QPointer<FindingCard> card = panel.findChild<FindingCard*>();
    ASSERT_FALSE(card.isNull());
    const QSignalSpy selected(&panel, &DiagnosesPanel::findingSelected);
    panel.setRuns({HandMadeRun::make("FourWorkers")});
    QTest::mouseClick(card, Qt::LeftButton);
    EXPECT_EQ(selected.count(), 0) << "its run is closed";
    ASSERT_FALSE(card.isNull());
    QCoreApplication::processEvents();
    EXPECT_TRUE(card.isNull());
    panel.setRuns({HandMadeRun::make("Third")});
    panel.choose({0, 0});
    EXPECT_EQ(selected.count(), 1) << "who asks for a finding does not wait for that event";
}

TEST(DiagnosesPanel, KeepsTheSectionOfARunWhileAnotherIsLoaded) {
    const auto first = HandMadeRun::make("ZeroWorkers");
    const auto second = HandMadeRun::make("FourWorkers");
    const auto loading = stillLoading(*second);
    DiagnosesPanel panel(Theme::darkTheme());
    panel.setRuns({first, loading});
    panel.finish();
    const QPointer<FindingCard> card = panel.findChild<FindingCard*>();
    ASSERT_FALSE(card.isNull());
    panel.setRuns({first, second});
    panel.finish();
    EXPECT_FALSE(card.isNull());
    EXPECT_EQ(panel.findChildren<FindingCard*>().size(), 2);
    panel.setRuns({second});
    panel.finish();
    EXPECT_TRUE(card.isNull()) << "it was closed";
    EXPECT_EQ(panel.findChildren<FindingCard*>().size(), 1);
}

TEST(DiagnosesPanel, TheKeyboardGoesThroughTheCardsInTheirOrder) {
    const auto first = HandMadeRun::make("ZeroWorkers");
    const auto second = HandMadeRun::make("FourWorkers");
    const auto loading = stillLoading(*first);
    DiagnosesPanel panel(Theme::darkTheme());
    panel.resize(400, 700);
    panel.setRuns({loading, second});
    panel.finish();
    panel.setRuns({first, second});  // what stands first was made last
    panel.finish();
    panel.show();
    panel.activateWindow();
    ASSERT_TRUE(QTest::qWaitForWindowActive(&panel));
    auto cards = panel.findChildren<FindingCard*>();
    ASSERT_EQ(cards.size(), 2);
    const auto y = [&](const FindingCard* card) { return card->mapTo(&panel, QPoint(0, 0)).y(); };
    if (y(cards[0]) > y(cards[1])) {
        cards.swapItemsAt(0, 1);
    }
    cards[0]->setFocus();
    // The links of the second run's verdict stand between the two.
    for (int stops = 0; stops < 10 && !cards[1]->hasFocus(); ++stops) {
        QWidget* at = panel.focusWidget();
        EXPECT_TRUE(at == cards[0] || qobject_cast<LinkedLabel*>(at) != nullptr)
            << stops << " " << (at == nullptr ? "none" : at->metaObject()->className());
        QTest::keyClick(at, Qt::Key_Tab);
    }
    EXPECT_TRUE(cards[1]->hasFocus());
    const QSignalSpy selected(&panel, &DiagnosesPanel::findingSelected);
    QTest::keyClick(cards[1], Qt::Key_Return);
    ASSERT_EQ(selected.count(), 1);
    EXPECT_EQ(panel.selected(), (FindingSelection{1, 0}));
}

TEST(LinkedLabelKeys, LeadFromLinkToLinkWithoutAStopThatShowsNothing) {
    QWidget page;
    QVBoxLayout layout(&page);
    QPushButton before;
    QPushButton after;
    LinkedLabel links("plain");
    LinkedLabel no_links("plain");
    links.write(QStringLiteral("<a href='1'>one</a> and <a href='2'>two</a>"));
    no_links.write(QStringLiteral("nothing to follow"));
    for (QWidget* part : std::initializer_list<QWidget*>{&before, &links, &no_links, &after}) {
        layout.addWidget(part);
    }
    page.show();
    page.activateWindow();
    ASSERT_TRUE(QTest::qWaitForWindowActive(&page));
    before.setFocus();
    const auto press = [&page](Qt::Key key) { QTest::keyClick(page.focusWidget(), key); };
    press(Qt::Key_Tab);
    EXPECT_EQ(links.selectedText(), QStringLiteral("one"));
    press(Qt::Key_Tab);
    EXPECT_EQ(links.selectedText(), QStringLiteral("two"));
    press(Qt::Key_Tab);
    EXPECT_TRUE(after.hasFocus());
    press(Qt::Key_Backtab);
    EXPECT_EQ(links.selectedText(), QStringLiteral("two"));
}

TEST(StackedBarSize, GrowsWithTheType) {
    StackedBar bar;
    QFont font = bar.font();
    font.setPointSizeF(10.0);
    bar.setFont(font);
    EXPECT_EQ(bar.sizeHint().height(), 14);
    font.setPointSizeF(20.0);
    bar.setFont(font);
    EXPECT_EQ(bar.sizeHint().height(), 28) << "the words in it are as high as it lets them be";
}

TEST(WaterfallBars, OfAWayOnWhichNothingChangesBeginAtNothing) {
    EXPECT_EQ(leftEdgeOf({{0, 91, true, {}}, {91, 91, false, {}}, {0, 91, true, {}}}), 0) << "else each is a hair";
    EXPECT_GT(leftEdgeOf({{0, 91, true, {}}, {91, 90, false, {}}, {0, 90, true, {}}}), 0);
}

}  // namespace
}  // namespace rankscope::ui
