// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/widgets/wrapped_label.h"

namespace rankscope::ui {

/// A paragraph of HTML with links that are signalled (linkActivated), in a column whose width is given. Whoever writes
/// it escapes what comes from a file.
class LinkedLabel : public WrappedLabel {
    Q_OBJECT

  public:
    /// `role`: what the style sheet calls it.
    explicit LinkedLabel(const char* role, QWidget* parent = nullptr);

    /// Shows this in place of what it shows, and is as high as that needs. If the keyboard is on a link, it goes to the
    /// first of the new ones.
    void write(const QString& html);
    /// What it shows, without markup.
    [[nodiscard]] QString words() const;

  protected:
    /// The first link has the focus at once, or the last, as the keyboard comes: the label itself shows none. Where
    /// there is no link it goes on to the next widget.
    void focusInEvent(QFocusEvent* event) override;
};

}  // namespace rankscope::ui
