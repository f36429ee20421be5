// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

class QTextBrowser;
class QUrl;

namespace rankscope::ui {

/// A page of the documentation in a window of its own, with its pictures as wide as there is room.
class HelpPage : public QDialog {
    Q_OBJECT

  public:
    /// Shows the Markdown file `path`; where it cannot be read, says so.
    HelpPage(const QString& title, const QString& path, QWidget* parent);
    /// An empty page, for showMarkdown() or showHtml().
    HelpPage(const QString& title, QWidget* parent);

    /// Shows a text that is written in Markdown.
    void showMarkdown(const QString& markdown);
    /// Shows a text that is written in HTML.
    void showHtml(const QString& html);

    /// The page, for reading back what it says.
    [[nodiscard]] const QTextBrowser& text() const { return *text_; }

  Q_SIGNALS:
    /// The user has followed a link of the page that leads to no other page of the documentation.
    void linkActivated(const QString& link);

  private:
    void showFile(const QString& path);
    void follow(const QUrl& link);

    QTextBrowser* text_;
};

/// Where a page of the documentation lies, as the program was installed or built: "tour.md". Empty where it does not.
[[nodiscard]] QString helpPagePath(const QString& name);

}  // namespace rankscope::ui
