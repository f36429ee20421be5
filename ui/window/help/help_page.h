// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QString>
#include <functional>
#include <vector>

class QTextBrowser;
class QUrl;

namespace rankscope::ui {

/// A page of the documentation in its own window, with its pictures as wide as possible. A link to another page is
/// followed in the same window; Alt+Left and Backspace go back.
class HelpPage : public QDialog {
    Q_OBJECT

  public:
    /// Shows the Markdown file `path`, or an error if it cannot be read.
    HelpPage(const QString& title, const QString& path, QWidget* parent);
    /// An empty page, for showMarkdown() or showHtml().
    HelpPage(const QString& title, QWidget* parent);

    /// Shows a Markdown text.
    void showMarkdown(const QString& markdown);
    /// Shows an HTML text, and keeps the visible line; its columns do not break words.
    void showHtml(const QString& html);

    /// The page, for reading back its text.
    [[nodiscard]] const QTextBrowser& text() const { return *text_; }

  Q_SIGNALS:
    /// The user has followed a link that does not lead to another page of the documentation.
    void linkActivated(const QString& link);
    /// The theme or the text size of the window has changed: content with its own colours or widths should be written
    /// again.
    void restyled();

  protected:
    void changeEvent(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    /// A page that a link was followed from.
    struct Place {
        QString path;
        QString title;
        int scroll = 0;  ///< pixels
    };

    void showFile(const QString& path);
    void follow(const QUrl& link);
    void goBack();
    void restyle();
    /// Lays the page out once after `fill` has written it, and shows the same line as before.
    void write(const std::function<void()>& fill);

    QTextBrowser* text_;
    bool restyling_ = false;     // soon
    QString path_;               // path of the shown file
    std::vector<Place> before_;  // the targets of Alt+Left and Backspace, the most recent one first
};

/// The path of a page of the documentation, such as "tour.md", of an installation or a build. Empty if there is none.
[[nodiscard]] QString helpPagePath(const QString& name);

}  // namespace rankscope::ui
