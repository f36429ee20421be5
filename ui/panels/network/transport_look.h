// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPen>
#include <QString>
#include <QWidget>
#include <array>
#include <cstddef>
#include <set>

#include "core/network/network.h"
#include "ui/theme/theme.h"

namespace rankscope::ui {

/// The name of a kind of path: "SHM: through host memory".
[[nodiscard]] QString transportTitle(network::PathKind kind);
/// The line of a kind: each has its own colour, pattern and width. `scale` multiplies the width.
[[nodiscard]] QPen transportPen(network::PathKind kind, const Theme& theme, double scale = 1.0);

/// The legend of a picture of connections: a line and a name per kind. Wraps into further lines if needed.
class TransportLegend : public QWidget {
    Q_OBJECT

  public:
    explicit TransportLegend(const Theme& theme, QWidget* parent = nullptr);

    /// Shows these kinds.
    void setKinds(const std::set<network::PathKind>& kinds);
    /// Draws the lines in the colours of this theme from now on.
    void setTheme(const Theme& theme);

  private:
    static constexpr std::size_t kKinds = 6;
    class Line;
    std::array<Line*, kKinds> lines_{};       // by kind
    std::array<QWidget*, kKinds> entries_{};  // the line with its name
};

}  // namespace rankscope::ui
