// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/widgets/wrapped_label.h"

namespace rankscope::ui {

/// A paragraph of HTML with links that are signalled (linkActivated), in a column of given width. The caller escapes
/// text from a file.
class LinkedLabel : public WrappedLabel {
    Q_OBJECT

  public:
    /// `role`: its name in the style sheet.
    explicit LinkedLabel(const char* role, QWidget* parent = nullptr);

    /// Replaces its content, and adapts its height. If a link has the keyboard focus, the first of the new ones gets
    /// it.
    void write(const QString& html);
    /// Its text, without markup.
    [[nodiscard]] QString words() const;

  protected:
    /// Gives the focus directly to the first link, or to the last, depending on where the keyboard comes from: the
    /// label itself shows none. Without a link it goes on to the next widget.
    void focusInEvent(QFocusEvent* event) override;
};

}  // namespace rankscope::ui
