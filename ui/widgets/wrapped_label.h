// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHash>
#include <QLabel>

namespace rankscope::ui {

/// A paragraph of plain text in a column whose width is given; its text stays as it is. QLabel tries several widths to
/// find one that suits its text, and lays the text out for each and whenever it is asked again: dozens of paragraphs
/// take longer than a frame. This takes any width, and lays its text out once for each.
class WrappedLabel : public QLabel {
    Q_OBJECT

  public:
    /// `role`: what the style sheet calls it.
    WrappedLabel(const QString& words, const char* role, QWidget* parent = nullptr);

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;
    [[nodiscard]] int heightForWidth(int width) const override;

  protected:
    void changeEvent(QEvent* event) override;
    /// For whoever changes the text after all.
    void forgetHeights() { heights_.clear(); }

  private:
    mutable QHash<int, int> heights_;  // by width, of the font that it has
};

}  // namespace rankscope::ui
