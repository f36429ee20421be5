// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <functional>
#include <vector>

#include "ui/panels/shared/page_panel.h"
#include "ui/panels/shared/table_choice.h"

class QComboBox;
class QLabel;
class QPushButton;

namespace rankscope::ui {

class RichText;
class TurningSplitter;

/// A panel about files that are open beside runs: what they say as text, and tables next to it. All of it is copied by
/// a button, and another closes the files.
class CompanionPanel : public PagePanel {
    Q_OBJECT

  public:
    /// `close`: what the button says that closes the files; `about`: what the text is about.
    CompanionPanel(const Theme& theme, const QString& close, const QString& about, QWidget* parent);

    void setTheme(const Theme& theme) override;
    /// Title and text, as plain text.
    [[nodiscard]] QString summary() const;
    /// The tables, and what comes before them.
    [[nodiscard]] TableChoice& tables() { return *tables_; }
    /// Whether something is being worked out.
    [[nodiscard]] bool busy() const { return job().busy() || copying_.busy(); }

  Q_SIGNALS:
    /// The user wants to close the files.
    void closeAsked();

  protected:
    /// Puts all in place, with a box between the title and the buttons if there is one. Called once.
    void arrange(QComboBox* choice = nullptr);
    /// Shows this title and these tables; the text is written by write().
    void showContent(const QString& title, const std::vector<TitledTable>& tables);
    /// Shows a title, and why there is nothing below it; files that are open can be closed.
    void showNone(const QString& title, const QString& why, bool is_open);
    /// The text, in HTML.
    void write(const QString& html);
    /// Makes the text to copy, on a thread: it must not refer to the panel.
    [[nodiscard]] virtual std::function<QString()> copied() const = 0;
    /// The text, for its links.
    [[nodiscard]] RichText& body() { return *body_; }

  private:
    void copyAll();

    LatestJob copying_;
    QLabel* title_;
    QPushButton* copy_;
    QPushButton* close_;
    QLabel* none_;
    RichText* body_;
    TableChoice* tables_;
    TurningSplitter* split_;
};

}  // namespace rankscope::ui
