// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/shared/companion_panel.h"

#include <QClipboard>
#include <QComboBox>
#include <QGuiApplication>
#include <QLabel>
#include <QPushButton>
#include <utility>

#include "ui/panels/shared/rich_text.h"
#include "ui/theme/plain_text.h"
#include "ui/widgets/panel_page.h"
#include "ui/widgets/turning_splitter.h"

namespace rankscope::ui {

CompanionPanel::CompanionPanel(const Theme& theme, const QString& close, const QString& about, QWidget* parent)
    : PagePanel(theme, parent),
      title_(plainLabel()),
      copy_(new QPushButton(tr("Copy as Text"))),
      close_(new QPushButton(close)),
      none_(plainLabel()),
      body_(new RichText(about)),
      tables_(new TableChoice(theme)),
      split_(new TurningSplitter(tr("Text and tables"))) {
    connect(copy_, &QPushButton::clicked, this, &CompanionPanel::copyAll);
    connect(close_, &QPushButton::clicked, this, &CompanionPanel::closeAsked);
    setFocusProxy(body_);
}

void CompanionPanel::arrange(QComboBox* choice) {
    for (QPushButton* button : {copy_, close_}) {
        button->setProperty("role", QStringLiteral("quiet"));
    }
    none_->setProperty("role", QStringLiteral("dim"));
    none_->setWordWrap(true);
    split_->addWidget(body_);
    split_->addWidget(tables_);
    split_->setStretchFactor(0, 2);
    split_->setStretchFactor(1, 3);
    split_->setSizes({2'000, 3'000});
    QLayout* const head =
        choice != nullptr ? makePanelHead(*title_, {choice, copy_, close_}) : makePanelHead(*title_, {copy_, close_});
    setPage(head, {none_, split_});
}

void CompanionPanel::setTheme(const Theme& theme) {
    PagePanel::setTheme(theme);
    tables_->setTheme(theme);
}

void CompanionPanel::showContent(const QString& title, const std::vector<TitledTable>& tables) {
    title_->setText(title);
    none_->hide();
    copy_->show();
    close_->show();
    split_->show();
    tables_->setTables(tables);
}

void CompanionPanel::showNone(const QString& title, const QString& why, bool is_open) {
    title_->setText(title);
    none_->setText(why);
    none_->show();
    copy_->hide();
    close_->setVisible(is_open);
    split_->hide();
}

void CompanionPanel::write(const QString& html) {
    body_->write(html, theme());
}

void CompanionPanel::copyAll() {
    copying_.start([make = copied()](const std::stop_token&) -> LatestJob::Show {
        return [words = make()] { QGuiApplication::clipboard()->setText(words); };
    });
}

QString CompanionPanel::summary() const {
    return title_->text() + QLatin1Char('\n') + body_->toPlainText();
}

}  // namespace rankscope::ui
