// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHash>
#include <QLabel>

namespace rankscope::ui {

/// A paragraph of plain text in a column of given width; its text does not change. QLabel tries several widths to find
/// one that suits its text, and lays the text out for each and on every request: dozens of paragraphs take longer than
/// a frame. This accepts any width, and lays its text out once per width.
class WrappedLabel : public QLabel {
    Q_OBJECT

  public:
    /// `role`: its name in the style sheet.
    WrappedLabel(const QString& words, const char* role, QWidget* parent = nullptr);

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;
    [[nodiscard]] int heightForWidth(int width) const override;

  protected:
    void changeEvent(QEvent* event) override;
    /// Call this if the text changes after all.
    void forgetHeights() { heights_.clear(); }

  private:
    mutable QHash<int, int> heights_;  // by width, for the current font
};

}  // namespace rankscope::ui
