// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTextBrowser>

#include "ui/theme/theme.h"

namespace rankscope::ui {

/// Text of the panels, with links that are signalled (anchorClicked) rather than followed. Fast to fill, since every
/// click fills it again: unchanged text is left alone, and new text is laid out once.
class RichText : public QTextBrowser {
    Q_OBJECT

  public:
    static constexpr int kLeastMargin = 4;  ///< so that the focus frame touches no letter
    /// Where a long name may be broken; invisible, and not copied.
    static constexpr char16_t kMayBreak = 0x200b;
    /// `margin`: around the text, in pixels.
    explicit RichText(const QString& accessible_name, int margin = kLeastMargin, QWidget* parent = nullptr);

    /// `html`: what is in the body.
    void write(const QString& html, const Theme& theme);
    /// Keeps `pixels` free between the text and the scroll bar, whether that is visible or not.
    void keepFreeAtRight(int pixels);

  protected:
    [[nodiscard]] QMimeData* createMimeDataFromSelection() const override;

  private:
    QString html_;  // the text as given: the document would write it differently
};

}  // namespace rankscope::ui
