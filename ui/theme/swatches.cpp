// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/swatches.h"

#include "ui/theme/slice_colors.h"

namespace rankscope::ui {
namespace {

constexpr unsigned kFaded = 120;  // out of 256: how much of the panel shows through
constexpr int kDarker = 140;      // percent
constexpr unsigned kPaler = 140;  // out of 256, of the text colour: darker, it would look like waiting in a dark theme

}  // namespace

QColor colourOf(Swatch swatch, const Theme& theme) {
    const SliceColors& colours = SliceColors::of(theme);
    const QRgb communication = colours.middle(Hue::Communication);
    switch (swatch) {
        case Swatch::Compute: return QColor::fromRgb(colours.middle(Hue::Compute));
        case Swatch::Communication: return QColor::fromRgb(communication);
        case Swatch::Waiting: return QColor::fromRgb(mix(communication, theme.surface.rgb(), kFaded));
        case Swatch::Unsplit:
            return theme.dark ? QColor::fromRgb(mix(communication, theme.text.rgb(), kPaler))
                              : QColor::fromRgb(communication).darker(kDarker);
        case Swatch::Copy: return QColor::fromRgb(colours.middle(Hue::Copy));
        case Swatch::Idle: return theme.gap;
    }
    return theme.text_dim;
}

// Hues that colour-blind people can distinguish by their brightness too.
QColor colourOf(std::optional<Role> role, const Theme& theme) {
    if (!role) {
        return theme.text_dim;
    }
    const auto of = [&theme](QRgb dark, QRgb light) { return QColor::fromRgb(theme.dark ? dark : light); };
    switch (*role) {
        case Role::Data: return of(0x56b4e9, 0x3a9bd6);
        case Role::Shard: return of(0x1f77c0, 0x005a94);
        case Role::Pipeline: return of(0xe69f00, 0xd08f00);
        case Role::Sequence: return of(0x00b386, 0x008a64);
        case Role::Tensor: return of(0xcc79a7, 0xb8608f);
        case Role::Expert: return of(0xd55e00, 0xb84f00);
        case Role::World: return of(0xf0e442, 0xd8c800);
    }
    return theme.text_dim;
}

// Neighbours in a bar differ in brightness as well as in hue.
QColor colourOf(MemoryPart part, const Theme& theme) {
    const auto of = [&theme](QRgb dark, QRgb light) { return QColor::fromRgb(theme.dark ? dark : light); };
    switch (part) {
        case MemoryPart::Parameters: return of(0x56b4e9, 0x3a9bd6);
        case MemoryPart::Gradients: return of(0xd55e00, 0xb84f00);
        case MemoryPart::OptimizerState: return of(0xf0c34a, 0xd9a300);
        case MemoryPart::Activations: return of(0x00a87e, 0x007f5c);
        case MemoryPart::Temporary: return of(0xd890b8, 0xc0709c);
        case MemoryPart::Held: return of(0x3f86c8, 0x1f64a0);
        case MemoryPart::Unknown: return theme.text_dim;
    }
    return theme.text_dim;
}

QColor colourOf(FreeMemory free, const Theme& theme) {
    switch (free) {
        case FreeMemory::Stuck: return theme.straggler;
        case FreeMemory::Cache:
        case FreeMemory::Segments: return theme.gap;
        case FreeMemory::Untold: return theme.border;
        case FreeMemory::Left: return theme.raised;
    }
    return theme.raised;
}

}  // namespace rankscope::ui
