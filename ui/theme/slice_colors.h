// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QRgb>
#include <array>
#include <cstdint>
#include <string_view>

#include "core/analysis/device/work_class.h"
#include "core/trace/category.h"
#include "ui/theme/theme.h"

namespace rankscope::ui {

/// The kind of a slice, shown by its hue. Device work is vivid; host work is muted.
enum class Hue : std::uint8_t {
    Compute,        ///< blue to teal
    Communication,  ///< violet to magenta
    Copy,           ///< green
    Operator,       ///< slate
    Python,         ///< warm grey
    Runtime,        ///< dull orange
    Annotation,     ///< dull teal
    Sync,           ///< dull violet: waits
    Neutral,        ///< anything else
};
inline constexpr std::size_t kHueCount = 9;

/// The hue of a slice without a class.
[[nodiscard]] Hue hueOf(Category category);
/// The hue of device work with a class.
[[nodiscard]] constexpr Hue hueOf(WorkClass work) {
    return work == WorkClass::Communication ? Hue::Communication : work == WorkClass::Copy ? Hue::Copy : Hue::Compute;
}
/// The hue of a slice. `work` is WorkClass::None if no class is known yet: then only the category decides.
[[nodiscard]] inline Hue hueOf(Category category, WorkClass work) {
    return work != WorkClass::None ? hueOf(work) : hueOf(category);
}

/// A shade of a hue, chosen by a name without its digits: "kernel_12" and "kernel_7" look alike, in every rank and run.
using Shade = std::uint8_t;
inline constexpr std::size_t kShadeCount = 16;
/// The shade of a name; digits in it do not count.
[[nodiscard]] Shade shadeOf(std::string_view name);

/// The colours of slices in one theme, made once in a perceptually uniform space (Oklch) so that no shade dominates.
class SliceColors {
  public:
    explicit SliceColors(const Theme& theme);
    /// The colours for `theme`, made at the first call; depends only on whether it is dark.
    [[nodiscard]] static const SliceColors& of(const Theme& theme);

    /// The colour of a slice of this hue and shade.
    [[nodiscard]] QRgb fill(Hue hue, Shade shade) const {
        return fills_[static_cast<std::size_t>(hue)][shade % kShadeCount];
    }
    /// The middle of a hue, for legends and for buckets of many slices.
    [[nodiscard]] QRgb middle(Hue hue) const { return middles_[static_cast<std::size_t>(hue)]; }
    /// Dark or light text, whichever is more readable on `fill`.
    [[nodiscard]] static QRgb textOn(QRgb fill);

  private:
    std::array<std::array<QRgb, kShadeCount>, kHueCount> fills_{};
    std::array<QRgb, kHueCount> middles_{};
};

/// `a` and `b` mixed: `share` 0 is all `a`, 256 is all `b`.
[[nodiscard]] inline QRgb mix(QRgb a, QRgb b, unsigned share) {
    const auto one = [share](int from, int to) { return from + ((to - from) * static_cast<int>(share) >> 8); };
    return qRgb(one(qRed(a), qRed(b)), one(qGreen(a), qGreen(b)), one(qBlue(a), qBlue(b)));
}

}  // namespace rankscope::ui
