// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/panel_page.h"

#include <QComboBox>
#include <QLabel>

#include "ui/widgets/wrapping_row.h"

namespace rankscope::ui {
namespace {

constexpr int kBetweenWords = 12;
constexpr int kBetweenBoxes = 6;
constexpr int kLeastBox = 60;  // pixels: with less space than it needs, its contents are cut

/// Wraps text onto more lines if the panel is narrower than the text.
void wrapWhereNarrow(QLabel& words) {
    if (words.sizePolicy().horizontalPolicy() != QSizePolicy::Ignored) {  // otherwise it is cut with dots
        words.setWordWrap(true);
    }
}

/// Groups the fields for choices.
QWidget* together(std::initializer_list<QWidget*> choices) {
    auto* made = new QWidget;
    auto* line = new WrappingRow(made);
    line->setContentsMargins(0, 0, 0, 0);  // on another line it begins below the title
    line->setSpacing(kBetweenBoxes);
    for (QWidget* choice : choices) {
        line->addWidget(choice);
    }
    return made;
}

}  // namespace

QLayout* makePanelHead(QLabel& title, std::initializer_list<QWidget*> choices) {
    title.setProperty("role", QStringLiteral("heading"));
    auto* head = new WrappingRow;
    head->setSpacing(kBetweenWords);
    head->addWidget(&title, 1);
    head->addWidget(together(choices));
    return head;
}

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
    for (QWidget* choice : choices) {
        if (auto* box = qobject_cast<QComboBox*>(choice)) {
            box->setSizeAdjustPolicy(QComboBox::AdjustToContents);
            box->setMinimumWidth(kLeastBox);
        }
    }
    head->addWidget(together(choices));
    return head;
}

}  // namespace rankscope::ui
