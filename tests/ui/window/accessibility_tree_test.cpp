// SPDX-License-Identifier: GPL-3.0-or-later
// What a screen reader finds: the accessibility tree of each page and dialog, node by node.
#include <QAccessible>
#include <QDialog>
#include <QHeaderView>
#include <QLabel>
#include <QScrollArea>
#include <functional>

#include "tests/ui/window/compare_fixture.h"
#include "tests/ui/window/whole_window.h"
#include "ui/charts/charts_panel.h"
#include "ui/charts/run_chart.h"
#include "ui/panels/compute/flame_view.h"
#include "ui/panels/diagnosis/diagnoses_panel.h"
#include "ui/panels/diagnosis/finding_card.h"
#include "ui/panels/steps/steps_panel.h"
#include "ui/theme/spoken.h"
#include "ui/timeline/overview.h"
#include "ui/timeline/rows/row_layout.h"

namespace rankscope::ui {
namespace {

constexpr int kMostChildren = 60;  // of a table or a list: its cells are made by one model

QAccessibleInterface& nodeOf(QWidget& widget) {
    return *QAccessible::queryAccessibleInterface(&widget);
}

std::string wordsOf(QAccessibleInterface& node) {
    const QObject* object = node.object();
    return std::string(object != nullptr ? object->metaObject()->className() : "a part") + " \"" +
           node.text(QAccessible::Name).toStdString() + "\", role " + std::to_string(node.role());
}

/// Calls `look` for each node that is not hidden, from `node` down, with the way to it.
void walk(QAccessibleInterface& node, const std::string& way,
          const std::function<void(QAccessibleInterface&, const std::string&)>& look) {
    if (!node.isValid() || node.state().invisible) {
        return;
    }
    const std::string here = way + " > " + wordsOf(node);
    look(node, here);
    for (int i = 0; i < std::min(node.childCount(), kMostChildren); ++i) {
        if (QAccessibleInterface* child = node.child(i)) {
            walk(*child, here, look);
        }
    }
}

/// What one can act on, or what says something, and so needs a name.
bool needsName(const QAccessibleInterface& node) {
    switch (node.role()) {
        case QAccessible::Button:
        case QAccessible::ButtonMenu:
        case QAccessible::CheckBox:
        case QAccessible::RadioButton:
        case QAccessible::ComboBox:
        case QAccessible::EditableText:
        case QAccessible::Slider:
        case QAccessible::PageTab:
        case QAccessible::MenuItem:
        case QAccessible::ListItem:
        case QAccessible::TreeItem:
        case QAccessible::ColumnHeader:
        case QAccessible::Link:
        case QAccessible::Table:
        case QAccessible::Tree:
        case QAccessible::List:
        case QAccessible::Chart:
        case QAccessible::Graphic:
        case QAccessible::Dialog:
        case QAccessible::StaticText: return true;
        default: return false;
    }
}

/// A pixmap in a label says nothing that its neighbours do not; an empty cell of a table is empty.
bool mayBeNameless(const QAccessibleInterface& node) {
    const auto* label = qobject_cast<const QLabel*>(node.object());
    const bool of_table = node.parent() != nullptr && node.parent()->role() == QAccessible::Tree;
    const bool hidden = node.role() == QAccessible::ColumnHeader && node.rect().isEmpty();
    return (label != nullptr && !label->pixmap().isNull()) || (of_table && node.role() == QAccessible::TreeItem) ||
           hidden;
}

void expectTitles(QAccessibleInterface& node, const std::string& way) {
    QAccessibleTableInterface* table = node.tableInterface();
    if (table == nullptr || (node.role() != QAccessible::Table && node.role() != QAccessible::Tree)) {
        return;
    }
    EXPECT_GE(table->rowCount(), 0) << way;
    const auto* view = qobject_cast<const QTableView*>(node.object());
    for (int column = 0; column < table->columnCount(); ++column) {
        if (view == nullptr || (!view->isColumnHidden(column) && view->horizontalHeader()->isVisible())) {
            EXPECT_FALSE(table->columnDescription(column).isEmpty()) << way << ", column " << column;
        }
    }
}

/// Each node of a tree has a role that fits and a name; tables have titles, and what paints itself says what it shows.
void expectWhole(QWidget& root) {
    ASSERT_NE(QAccessible::queryAccessibleInterface(&root), nullptr);
    walk(nodeOf(root), "", [](QAccessibleInterface& node, const std::string& way) {
        EXPECT_NE(node.role(), QAccessible::NoRole) << way;
        if (needsName(node) && !mayBeNameless(node)) {
            EXPECT_FALSE(node.text(QAccessible::Name).isEmpty()) << way;
        }
        auto* widget = qobject_cast<QWidget*>(node.object());
        if (widget != nullptr && (widget->focusPolicy() & Qt::TabFocus) != 0 && widget->focusProxy() == nullptr) {
            const bool page = qobject_cast<const QScrollArea*>(widget) != nullptr;  // Qt has no role for what scrolls
            EXPECT_TRUE(page || node.role() != QAccessible::Client)
                << way << " takes the keyboard and does not say as what";
            EXPECT_NE(node.role(), QAccessible::Border) << way;
            EXPECT_FALSE(node.text(QAccessible::Name).isEmpty()) << way;
        }
        if (dynamic_cast<const Spoken*>(widget) != nullptr) {
            EXPECT_FALSE(node.text(QAccessible::Description).isEmpty()) << way;
        }
        expectTitles(node, way);
    });
}

class AccessibilityTree : public CompareWindow {
  protected:
    void openSample() {
        ASSERT_TRUE(dropAndWait({zero()}));
        QCoreApplication::processEvents();
        timeline().settle();
    }
    static QString told(QWidget& widget) { return nodeOf(widget).text(QAccessible::Description); }
};

TEST_F(AccessibilityTree, OfTheWelcomePageIsWhole) {
    expectWhole(window());
}

TEST_F(AccessibilityTree, OfTheWorkspaceIsWholeWithEachPanel) {
    openSample();
    timeline().select(SliceSelection{0, RankPosition(1), {TrackId(0), 5}});
    forEachPanel(window(), [this] { expectWhole(window()); });
}

TEST_F(AccessibilityTree, OfEachChartIsWhole) {
    openSample();
    forEachChart(window(), [this](RunChart&) { expectWhole(workspace().charts()); });
}

TEST_F(AccessibilityTree, OfTheComparisonIsWhole) {
    ASSERT_TRUE(compareSamples());
    expectWhole(window());
    for (std::size_t page = 0; page < kComparePages; ++page) {
        panel().showPage(static_cast<ComparePage>(page));
        QCoreApplication::processEvents();
        expectWhole(panel());
    }
}

TEST_F(AccessibilityTree, OfEachDialogIsWhole) {
    openSample();
    for (const char* command : {"help.keys", "help.change-keys", "help.reference", "help.legend", "help.patterns",
                                "help.about", "file.compare", "job.describe", "help.commands", "rows.find"}) {
        inDialogOf(window(), command, [](QWidget& dialog) {
            EXPECT_FALSE(nodeOf(dialog).text(QAccessible::Name).isEmpty());
            expectWhole(dialog);
        });
    }
}

TEST_F(AccessibilityTree, OfTheGuideIsWhole) {
    openSample();
    trigger("help.guide");
    timeline().settle();
    expectWhole(window());
}

TEST_F(AccessibilityTree, TheTimelineSaysWhatIsSelectedAndInView) {
    openSample();
    EXPECT_TRUE(told(timeline()).contains(QStringLiteral("Nothing is selected.")));
    timeline().select(SliceSelection{0, RankPosition(2), {TrackId(0), 5}});
    timeline().showWindow({10'000'000, 20'000'000});
    const QString said = told(timeline());
    EXPECT_TRUE(said.contains(timeline().selectionWords().front())) << said.toStdString();
    EXPECT_TRUE(said.contains(QStringLiteral("rank 2"))) << said.toStdString();
    EXPECT_TRUE(said.contains(QStringLiteral("10.0 ms to 20.0 ms are in view"))) << said.toStdString();
}

TEST_F(AccessibilityTree, TheTimelineListsEachRowAndWhichAreFolded) {
    openSample();
    const QAccessibleInterface& node = nodeOf(timeline());
    const auto rows = timeline().rowLayout().rows();
    std::size_t told = 0;
    for (int i = 0; i < node.childCount(); ++i) {
        QAccessibleInterface* child = node.child(i);
        ASSERT_NE(child, nullptr);
        if (child->role() == QAccessible::TreeItem) {
            EXPECT_FALSE(child->text(QAccessible::Name).isEmpty());
            EXPECT_EQ(node.indexOfChild(child), i);
            EXPECT_EQ(child->state().expandable, rows[told].foldable);
            EXPECT_EQ(child->state().collapsed, rows[told].foldable && rows[told].unfolding == Unfolding::Folded);
            ++told;
        }
    }
    EXPECT_EQ(told, rows.size());
}

TEST_F(AccessibilityTree, ACardSaysItsSeverityAndWhetherItIsSelected) {
    openSample();
    const auto cards = workspace().findChildren<FindingCard*>();
    ASSERT_FALSE(cards.empty());
    EXPECT_EQ(nodeOf(*cards[0]).role(), QAccessible::Button);
    EXPECT_TRUE(told(*cards[0]).contains(QStringLiteral("severity")));
    cards[0]->setFocus();
    QTest::keyClick(cards[0], Qt::Key_Return);
    EXPECT_TRUE(told(*cards[0]).startsWith(QStringLiteral("Selected"))) << told(*cards[0]).toStdString();
}

TEST_F(AccessibilityTree, TheBarsOfAStepListTheirParts) {
    openSample();
    workspace().showBelow(workspace().steps());
    auto* table = workspace().steps().findChild<QTableView*>();
    QAccessibleTableInterface* cells = nodeOf(*table).tableInterface();
    ASSERT_NE(cells, nullptr);
    bool told = false;
    for (int column = 0; column < cells->columnCount(); ++column) {
        if (cells->columnDescription(column) == QStringLiteral("Parts")) {
            const QString words = cells->cellAt(0, column)->text(QAccessible::Name);
            told = words.contains(QStringLiteral("Compute")) && words.contains(QStringLiteral("Idle"));
        }
    }
    EXPECT_TRUE(told);
}

}  // namespace
}  // namespace rankscope::ui
