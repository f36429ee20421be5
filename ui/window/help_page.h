// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

class QTextBrowser;

namespace rankscope::ui {

/// A page of the documentation in a window of its own, with its pictures as wide as there is room.
class HelpPage : public QDialog {
    Q_OBJECT

  public:
    /// Shows the Markdown file `path`; where it cannot be read, says so.
    HelpPage(const QString& title, const QString& path, QWidget* parent);

    [[nodiscard]] const QTextBrowser& text() const { return *text_; }

  private:
    QTextBrowser* text_;
};

/// Where a page of the documentation lies, as the program was installed or built: "tour.md". Empty where it does not.
[[nodiscard]] QString helpPagePath(const QString& name);

}  // namespace rankscope::ui
