// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QString>
#include <functional>
#include <vector>

class QTextBrowser;
class QUrl;

namespace rankscope::ui {

/// A page of the documentation in a window of its own, with its pictures as wide as there is room. A link to another
/// page is followed in place; Alt+Left and Backspace lead back.
class HelpPage : public QDialog {
    Q_OBJECT

  public:
    /// Shows the Markdown file `path`; where it cannot be read, says so.
    HelpPage(const QString& title, const QString& path, QWidget* parent);
    /// An empty page, for showMarkdown() or showHtml().
    HelpPage(const QString& title, QWidget* parent);

    /// Shows a text that is written in Markdown.
    void showMarkdown(const QString& markdown);
    /// Shows a text that is written in HTML, at the line where the page is; its columns break no word.
    void showHtml(const QString& html);

    /// The page, for reading back what it says.
    [[nodiscard]] const QTextBrowser& text() const { return *text_; }

  Q_SIGNALS:
    /// The user has followed a link of the page that leads to no other page of the documentation.
    void linkActivated(const QString& link);
    /// The window has another theme or text size: what has colours or widths of its own wants to be written again.
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
    /// Lays the page out once when `fill` has written it, and shows the line that was shown.
    void write(const std::function<void()>& fill);

    QTextBrowser* text_;
    bool restyling_ = false;     // in a moment
    QString path_;               // of the file that is shown
    std::vector<Place> before_;  // where Alt+Left and Backspace lead, the last one first
};

/// The path of a page of the documentation, as the program was installed or built: "tour.md". Empty where it does not.
[[nodiscard]] QString helpPagePath(const QString& name);

}  // namespace rankscope::ui
