// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/commands/help_dialog.h"

#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QScreen>
#include <QScrollArea>
#include <QStringList>
#include <algorithm>
#include <map>

namespace rankscope::ui {
namespace {

QLabel* label(const QString& text, const char* role) {
    auto* made = new QLabel(text);
    made->setTextFormat(Qt::PlainText);
    made->setProperty("role", QLatin1String(role));
    return made;
}

/// One group of keys: a heading, and a line for each.
QWidget* section(const QString& group, const std::vector<KeyHint>& keys, std::vector<HelpLine>& lines) {
    auto* box = new QWidget;
    auto* grid = new QGridLayout(box);
    grid->setContentsMargins(0, 0, 0, 16);
    grid->setHorizontalSpacing(24);
    grid->setVerticalSpacing(6);
    grid->setColumnStretch(1, 1);
    grid->addWidget(label(group, "section"), 0, 0, 1, 2);
    int row = 1;
    for (const KeyHint& hint : keys) {
        if (hint.group == group) {
            QLabel* key = label(hint.keys, "heading");
            key->setMinimumWidth(150);
            QLabel* what = label(hint.what, "plain");
            grid->addWidget(key, row, 0);
            grid->addWidget(what, row, 1);
            lines.push_back({box, key, what});
            ++row;
        }
    }
    return box;
}

}  // namespace

HelpDialog::HelpDialog(const std::vector<KeyHint>& keys, QWidget* parent) : QDialog(parent) {
    setWindowTitle(tr("Keys"));
    auto* page = new QWidget;
    page->setProperty("role", QStringLiteral("surface"));
    auto* columns = new QHBoxLayout(page);
    columns->setContentsMargins(24, 24, 24, 8);
    columns->setSpacing(40);
    QStringList groups;
    for (const KeyHint& hint : keys) {
        if (!groups.contains(hint.group)) {
            groups.append(hint.group);
        }
    }
    // Two columns of about the same number of lines.
    auto* left = new QVBoxLayout;
    auto* right = new QVBoxLayout;
    columns->addLayout(left);
    columns->addLayout(right);
    std::ptrdiff_t placed = 0;
    for (const QString& group : groups) {
        const bool first_half = placed * 2 < static_cast<std::ptrdiff_t>(keys.size());
        (first_half ? left : right)->addWidget(section(group, keys, lines_));
        placed += std::ranges::count(keys, group, &KeyHint::group);
    }
    left->addStretch();
    right->addStretch();

    auto* scroll = new QScrollArea;
    scroll->setWidget(page);
    scroll->setWidgetResizable(true);
    scroll->setAccessibleName(tr("Keys and what they do"));
    auto* filter = new QLineEdit;
    filter->setPlaceholderText(tr("Filter by command or key"));
    filter->setAccessibleName(tr("Filter of keys"));
    filter->setClearButtonEnabled(true);
    connect(filter, &QLineEdit::textChanged, this, &HelpDialog::filter);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    auto* head = new QHBoxLayout;
    head->setContentsMargins(24, 16, 24, 0);
    head->addWidget(filter);
    layout->addLayout(head);
    layout->addWidget(scroll);
    constexpr int kFrame = 24;              // the scroll area's frame, with some spare space
    constexpr QSize kAroundWindow(16, 48);  // what a desktop adds around a window
    const QSize room = screen()->availableSize() - kAroundWindow;
    if (page->sizeHint().width() + kFrame > room.width()) {
        columns->setDirection(QBoxLayout::TopToBottom);
    }
    resize(QSize(std::max(860, page->sizeHint().width() + kFrame), std::min(680, page->sizeHint().height() + kFrame))
               .boundedTo(room));
}

void HelpDialog::filter(const QString& words) {
    const auto fits = [&](const QLabel* label) { return label->text().contains(words.trimmed(), Qt::CaseInsensitive); };
    std::map<QWidget*, bool> any;
    for (const HelpLine& line : lines_) {
        const bool shown = fits(line.keys) || fits(line.what);
        line.keys->setVisible(shown);
        line.what->setVisible(shown);
        any[line.section] = any[line.section] || shown;
    }
    for (const auto& [section, shown] : any) {
        section->setVisible(shown);
    }
}

}  // namespace rankscope::ui
