// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/search_bar.h"

#include <QAction>
#include <QHBoxLayout>
#include <QIcon>
#include <QKeyEvent>
#include <QLineEdit>
#include <QPushButton>
#include <QRegularExpression>

#include "ui/theme/plain_text.h"

namespace rankscope::ui {
namespace {

constexpr int kFieldWidth = 420;

QPushButton* quietButton(const QString& text, const QString& what) {
    auto* button = new QPushButton(text);
    button->setProperty("role", QStringLiteral("quiet"));
    button->setToolTip(plainTip(what));
    button->setAccessibleName(what);
    return button;
}

}  // namespace

bool isSqlQuestion(const QString& text) {
    static const QRegularExpression question(
        QStringLiteral("^\\s*(select\\s+\\S|with\\s+(recursive\\s+)?\\w+\\s*(\\([^)]*\\)\\s*)?as\\b)"),
        QRegularExpression::CaseInsensitiveOption);
    return question.match(text).hasMatch();
}

SearchBar::SearchBar(QWidget* parent)
    : QWidget(parent),
      field_(new QLineEdit),
      state_(plainLabel()),
      list_(quietButton(tr("List"), tr("List all hits below the timeline"))),
      previous_(quietButton(tr("Previous"), tr("Previous hit (Shift+Enter)"))),
      next_(quietButton(tr("Next"), tr("Next hit (Enter)"))) {
    setProperty("role", QStringLiteral("strip"));
    setAttribute(Qt::WA_StyledBackground);
    field_->setPlaceholderText(tr("Search names and arguments, \"step 7 of rank 3\", or SQL"));
    field_->setAccessibleName(tr("Search names and arguments on all ranks"));
    field_->setMaximumWidth(kFieldWidth);
    field_->addAction(QIcon(QStringLiteral(":/icons/search.svg")), QLineEdit::LeadingPosition);
    field_->installEventFilter(this);
    state_->setProperty("role", QStringLiteral("dim"));
    auto* close = quietButton(QString(), tr("Close the search (Esc)"));
    close->setIcon(QIcon(QStringLiteral(":/icons/close.svg")));
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(8, 5, 8, 5);
    layout->setSpacing(8);
    layout->addWidget(field_, 2);
    layout->addWidget(state_);
    layout->addStretch(1);
    layout->addWidget(list_);
    layout->addWidget(previous_);
    layout->addWidget(next_);
    layout->addWidget(close);
    connect(field_, &QLineEdit::textChanged, this, &SearchBar::textChanged);
    connect(list_, &QPushButton::clicked, this, &SearchBar::listAsked);
    connect(previous_, &QPushButton::clicked, this, &SearchBar::previous);
    connect(next_, &QPushButton::clicked, this, &SearchBar::next);
    connect(close, &QPushButton::clicked, this, &SearchBar::closed);
    setState({}, false);
    hide();
}

void SearchBar::open() {
    show();
    field_->setFocus(Qt::ShortcutFocusReason);
    field_->selectAll();
}

void SearchBar::setText(const QString& text) {
    field_->setText(text);
}

QString SearchBar::text() const {
    return field_->text();
}

void SearchBar::setState(const QString& words, bool hits) {
    state_->setText(words);
    list_->setEnabled(hits);
    previous_->setEnabled(hits);
    next_->setEnabled(hits);
}

bool SearchBar::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::KeyPress) {
        const auto* key = static_cast<const QKeyEvent*>(event);
        if (key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter) {
            if (isSqlQuestion(field_->text())) {
                Q_EMIT questionAsked(field_->text());
            } else if (key->modifiers().testFlag(Qt::ShiftModifier)) {
                Q_EMIT previous();
            } else {
                Q_EMIT next();
            }
            return true;
        }
        if (key->text() == QLatin1String(">") && field_->text().isEmpty()) {
            Q_EMIT closed();
            Q_EMIT commandsAsked();
            return true;
        }
        if (key->key() == Qt::Key_Escape) {
            Q_EMIT closed();
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

}  // namespace rankscope::ui
