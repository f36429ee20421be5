// SPDX-License-Identifier: GPL-3.0-or-later
// What all painted cells do with the pointer and the keyboard: real events on a small widget.
#include "ui/panels/shared/painted_cells.h"
#include "tests/ui/widget_parts.h"

#include <gtest/gtest.h>

#include <QKeyEvent>
#include <QTest>
#include <QToolTip>
#include <vector>

namespace rankscope::ui {
namespace {

constexpr int kCellSize = 20;
constexpr int kCellCount = 4;
constexpr int kDeadCell = 2;  // leads nowhere

/// Four cells in a row. Home leads to the first, End nowhere.
class RowOfCells : public PaintedCells<int> {
  public:
    explicit RowOfCells(QWidget* parent = nullptr) : PaintedCells(Theme::darkTheme(), parent) { resize(100, 30); }

    [[nodiscard]] static QPoint middleOf(int cell) { return {cell * kCellSize + kCellSize / 2, kCellSize / 2}; }
    [[nodiscard]] std::optional<int> cellAt(const QPointF& at) const override {
        const int cell = static_cast<int>(at.x()) / kCellSize;
        return cells && at.y() < kCellSize && cell < kCellCount ? std::optional(cell) : std::nullopt;
    }
    [[nodiscard]] QString tipOf(const int& cell) const override { return QStringLiteral("cell %1 <b>").arg(cell); }
    [[nodiscard]] QString spokenContent() const override { return current() ? tipOf(*current()) : QString(); }
    [[nodiscard]] std::optional<int> under() const { return pointed(); }
    [[nodiscard]] QFont fontOf(int pixels) const { return font(pixels); }
    void drawAnew() { redraw(); }
    void forget() { forgetCurrent(); }

    bool cells = true;
    bool tips_of_keys = false;
    mutable int drawn = 0;
    int laid_out = 0;
    std::vector<int> activated;

  private:
    [[nodiscard]] bool empty() const override { return !cells; }
    void layOut() override {
        ++laid_out;
        redraw();
    }
    void draw(QPainter& painter) const override {
        ++drawn;
        painter.fillRect(0, 0, kCellSize, kCellSize, theme().accent);
    }
    void drawOver(QPainter& painter) const override {
        if (current() && hasFocus()) {
            painter.fillRect(*current() * kCellSize, kCellSize, kCellSize, 2, theme().text);
        }
    }
    [[nodiscard]] std::optional<int> next(int key) const override {
        if (key == Qt::Key_Home) {
            return 0;
        }
        const int to = !current() ? 0 : key == Qt::Key_Right ? *current() + 1 : *current() - 1;
        return key != Qt::Key_End && to >= 0 && to < kCellCount ? std::optional(to) : std::nullopt;
    }
    [[nodiscard]] std::optional<QPoint> tipOfKeys(const int& cell) const override {
        return tips_of_keys ? std::optional(middleOf(cell)) : std::nullopt;
    }
    void activate(const int& cell) override { activated.push_back(cell); }
    [[nodiscard]] bool leads(const int& cell) const override { return cell != kDeadCell; }
};

/// A parent that keeps the keys that its child leaves to it.
class KeyKeeper : public QWidget {
  public:
    std::vector<int> keys;

  protected:
    void keyPressEvent(QKeyEvent* event) override { keys.push_back(event->key()); }
};

class PaintedCellsTest : public testing::Test {
  protected:
    PaintedCellsTest() {
        window.resize(200, 60);
        window.show();
        window.activateWindow();
        EXPECT_TRUE(QTest::qWaitForWindowActive(&window));
        row->setFocus();
    }
    void press(Qt::Key key, Qt::KeyboardModifiers modifiers = {}) { QTest::keyClick(row, key, modifiers); }
    void restAt(const QPoint& at) { (void)test::tipAt(*row, at); }

    KeyKeeper window;
    RowOfCells* row = new RowOfCells(&window);
};

TEST_F(PaintedCellsTest, ArrowsWalkStayAtTheEndAndEnterActivates) {
    press(Qt::Key_Return);
    EXPECT_TRUE(row->activated.empty()) << "no cell is current";
    press(Qt::Key_Right);
    EXPECT_EQ(row->current(), 0) << "the first arrow shows where the keyboard is";
    press(Qt::Key_Left);
    EXPECT_EQ(row->current(), 0);
    press(Qt::Key_Right);
    EXPECT_EQ(row->current(), 1);
    EXPECT_EQ(row->spokenContent(), QStringLiteral("cell 1 <b>"));
    press(Qt::Key_Return);
    press(Qt::Key_Enter);
    EXPECT_EQ(row->activated, (std::vector<int>{1, 1}));
    press(Qt::Key_Home);
    EXPECT_EQ(row->current(), 0);
    EXPECT_TRUE(window.keys.empty()) << "an arrow that leads nowhere is not left to a page, which would scroll";
    row->forget();
    EXPECT_FALSE(row->current().has_value());
}

TEST_F(PaintedCellsTest, KeysThatAreNotItsOwnGoToTheParent) {
    press(Qt::Key_X);
    press(Qt::Key_End);
    press(Qt::Key_Right, Qt::ControlModifier);
    EXPECT_EQ(window.keys, (std::vector<int>{Qt::Key_X, Qt::Key_End, Qt::Key_Control, Qt::Key_Right}));
    EXPECT_FALSE(row->current().has_value());
    row->cells = false;
    window.keys.clear();
    press(Qt::Key_Right);
    press(Qt::Key_Return);
    EXPECT_EQ(window.keys, (std::vector<int>{Qt::Key_Right, Qt::Key_Return})) << "there is nothing to walk in";
}

TEST_F(PaintedCellsTest, AClickGoesToItsCellAndActivatesIt) {
    QTest::mouseClick(row, Qt::LeftButton, {}, RowOfCells::middleOf(3));
    EXPECT_EQ(row->current(), 3);
    EXPECT_EQ(row->activated, std::vector<int>{3});
    QTest::mouseClick(row, Qt::RightButton, {}, RowOfCells::middleOf(1));
    QTest::mouseClick(row, Qt::LeftButton, {}, QPoint(90, 10));
    EXPECT_EQ(row->current(), 3) << "another button, and beside the cells";
    EXPECT_EQ(row->activated.size(), 1U);
}

TEST_F(PaintedCellsTest, ThePointerIsAHandOverWhatLeadsSomewhere) {
    QTest::mouseMove(row, RowOfCells::middleOf(1));
    QCoreApplication::processEvents();
    EXPECT_EQ(row->under(), 1);
    EXPECT_EQ(row->cursor().shape(), Qt::PointingHandCursor);
    QTest::mouseMove(row, RowOfCells::middleOf(kDeadCell));
    QCoreApplication::processEvents();
    EXPECT_EQ(row->under(), kDeadCell);
    EXPECT_EQ(row->cursor().shape(), Qt::ArrowCursor);
    QEvent leave(QEvent::Leave);
    QCoreApplication::sendEvent(row, &leave);
    EXPECT_FALSE(row->under().has_value());
}

TEST_F(PaintedCellsTest, ATipSaysWhatTheCellIsAsPlainText) {
    const auto hides = [] { return QTest::qWaitFor([] { return !QToolTip::isVisible(); }, 5'000); };
    restAt(RowOfCells::middleOf(1));
    EXPECT_EQ(QToolTip::text(), plainTip(QStringLiteral("cell 1 <b>")));
    restAt({90, 10});
    EXPECT_TRUE(hides()) << "beside the cells";
    restAt(RowOfCells::middleOf(2));
    ASSERT_TRUE(QToolTip::isVisible());
    row->cells = false;
    restAt(RowOfCells::middleOf(2));
    EXPECT_TRUE(hides());
}

TEST_F(PaintedCellsTest, KeysShowTheTipOfTheirCellWhereItIsWantedThere) {
    press(Qt::Key_Right);
    EXPECT_FALSE(QToolTip::isVisible());
    row->tips_of_keys = true;
    press(Qt::Key_Right);
    ASSERT_TRUE(QToolTip::isVisible());
    EXPECT_EQ(QToolTip::text(), plainTip(QStringLiteral("cell 1 <b>")));
    QToolTip::hideText();
}

TEST_F(PaintedCellsTest, CellsAreDrawnOnceUntilTheyChangeAndTheCurrentOneOverThem) {
    QImage image = row->grab().toImage();
    const int once = row->drawn;
    const QRgb accent = Theme::darkTheme().accent.rgb();
    EXPECT_EQ(image.pixel(2, 2), accent);
    EXPECT_EQ(image.pixel(2, 25), Theme::darkTheme().surface.rgb());
    press(Qt::Key_Right);
    image = row->grab().toImage();
    EXPECT_EQ(image.pixel(2, kCellSize + 1), Theme::darkTheme().text.rgb());
    row->clearFocus();
    EXPECT_EQ(row->grab().toImage().pixel(2, kCellSize + 1), Theme::darkTheme().surface.rgb());
    EXPECT_EQ(row->drawn, once) << "neither the keyboard nor the focus changes a cell";
    row->drawAnew();
    EXPECT_EQ(row->grab().toImage().pixel(2, 2), accent);
    EXPECT_EQ(row->drawn, once + 1);
}

TEST_F(PaintedCellsTest, AnotherSizeOrThemeLaysThemOutAnew) {
    const int before = row->laid_out;
    row->resize(120, 30);
    EXPECT_EQ(row->laid_out, before + 1);
    EXPECT_EQ(row->grab().toImage().pixel(110, 2), Theme::darkTheme().surface.rgb());
    const Theme large = Theme::lightTheme().withTextSize(2);
    const int small_font = row->fontOf(10).pixelSize();
    row->setTheme(large);
    EXPECT_EQ(row->laid_out, before + 2);
    EXPECT_EQ(row->grab().toImage().pixel(2, 2), large.accent.rgb());
    EXPECT_GT(row->fontOf(10).pixelSize(), small_font);
}

}  // namespace
}  // namespace rankscope::ui
