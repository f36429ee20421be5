// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/panel_head.h"

#include <QComboBox>
#include <QLabel>

#include "ui/panels/wrapping_row.h"

namespace rankscope::ui {
namespace {

constexpr int kBetweenWords = 12;
constexpr int kBetweenBoxes = 6;
constexpr int kLeastBox = 60;  // pixels: where there is less room than it wants, what it holds is cut

/// Words that go on in further lines where the panel is narrower than they are.
void wrapWhereNarrow(QLabel& words) {
    if (words.sizePolicy().horizontalPolicy() != QSizePolicy::Ignored) {  // else they are cut with dots
        words.setWordWrap(true);
    }
}

}  // namespace

QLayout* makePanelHead(QLabel& title, QLabel& about, std::initializer_list<QWidget*> choices) {
    title.setProperty("role", QStringLiteral("heading"));
    about.setProperty("role", QStringLiteral("dim"));
    wrapWhereNarrow(title);
    wrapWhereNarrow(about);
    auto* head = new WrappingRow;
    head->setSpacing(kBetweenWords);
    head->addWidget(&title);
    head->addWidget(&about, 1);
    if (choices.size() == 0) {
        return head;
    }
    auto* together = new QWidget;
    auto* line = new WrappingRow(together);
    line->setContentsMargins(0, 0, 0, 0);
    line->setSpacing(kBetweenBoxes);
    for (QWidget* choice : choices) {
        if (auto* box = qobject_cast<QComboBox*>(choice)) {
            box->setSizeAdjustPolicy(QComboBox::AdjustToContents);
            box->setMinimumWidth(kLeastBox);
        }
        line->addWidget(choice);
    }
    head->addWidget(together);
    return head;
}

}  // namespace rankscope::ui
