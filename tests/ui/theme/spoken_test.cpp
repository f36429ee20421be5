// SPDX-License-Identifier: GPL-3.0-or-later
// What a widget that paints itself tells a screen reader.
#include "ui/theme/spoken.h"

#include <gtest/gtest.h>

#include <QAccessible>
#include <QPushButton>
#include <QWidget>

namespace rankscope::ui {
namespace {

class Dots : public QWidget, public Spoken {
  public:
    explicit Dots(int count) : button(this), count_(count) {
        resize(100, 20);
        button.setGeometry(80, 0, 20, 20);
        setAccessibleName(QStringLiteral("Dots"));
    }
    [[nodiscard]] QString spokenContent() const override { return QStringLiteral("%1 dots").arg(count_); }
    [[nodiscard]] std::size_t spokenParts() const override { return static_cast<std::size_t>(count_); }
    [[nodiscard]] SpokenPart spokenPart(std::size_t index) const override {
        const int i = static_cast<int>(index);
        return {.name = QStringLiteral("dot %1").arg(i),
                .about = QStringLiteral("round"),
                .place = QRect(i * 20, 0, 20, 20),
                .role = QAccessible::TreeItem,
                .chosen = i == 1,
                .unfolded = i == 0 ? std::optional(false) : std::nullopt};
    }
    void setCount(int count) { count_ = count; }

    QPushButton button;

  private:
    int count_;
};

TEST(SpokenWidget, HasItsContentAsDescriptionAndValue) {
    Dots dots(3);
    QAccessibleInterface* node = QAccessible::queryAccessibleInterface(&dots);
    ASSERT_NE(node, nullptr);
    EXPECT_EQ(node->role(), QAccessible::Chart);
    EXPECT_EQ(node->text(QAccessible::Name), QStringLiteral("Dots"));
    EXPECT_EQ(node->text(QAccessible::Description), QStringLiteral("3 dots"));
    dots.setCount(2);
    EXPECT_EQ(node->text(QAccessible::Value), QStringLiteral("2 dots")) << "as it is when it is asked for";
}

TEST(SpokenWidget, HasItsWidgetsAndThenItsPartsAsChildren) {
    Dots dots(3);
    dots.show();
    QAccessibleInterface* node = QAccessible::queryAccessibleInterface(&dots);
    ASSERT_EQ(node->childCount(), 4);
    EXPECT_EQ(node->child(0)->object(), &dots.button);
    for (int i = 0; i < 3; ++i) {
        QAccessibleInterface* part = node->child(i + 1);
        EXPECT_EQ(part->text(QAccessible::Name), QStringLiteral("dot %1").arg(i));
        EXPECT_EQ(part->text(QAccessible::Description), QStringLiteral("round"));
        EXPECT_EQ(part->role(), QAccessible::TreeItem);
        EXPECT_EQ(part->state().selected, i == 1);
        EXPECT_EQ(part->state().collapsed, i == 0);
        EXPECT_EQ(part->parent(), node);
        EXPECT_EQ(node->indexOfChild(part), i + 1);
        EXPECT_EQ(node->child(i + 1), part) << "the same one each time";
        const QPoint at = dots.mapToGlobal(QPoint(i * 20 + 5, 5));
        EXPECT_EQ(node->childAt(at.x(), at.y()), part);
    }
    EXPECT_EQ(node->child(4), nullptr);
}

TEST(SpokenWidget, LosesThePartsThatAreGone) {
    Dots dots(3);
    QAccessibleInterface* node = QAccessible::queryAccessibleInterface(&dots);
    QAccessibleInterface* last = node->child(3);
    ASSERT_TRUE(last->isValid());
    dots.setCount(1);
    EXPECT_FALSE(last->isValid());
    EXPECT_TRUE(last->text(QAccessible::Name).isEmpty());
    EXPECT_EQ(node->childCount(), 2);
}

TEST(SpokenWidget, TakesItsPartsWithIt) {
    auto dots = std::make_unique<Dots>(3);
    QAccessibleInterface* part = QAccessible::queryAccessibleInterface(dots.get())->child(1);
    const QAccessible::Id id = QAccessible::uniqueId(part);
    dots.reset();
    EXPECT_EQ(QAccessible::accessibleInterface(id), nullptr);
}

}  // namespace
}  // namespace rankscope::ui
