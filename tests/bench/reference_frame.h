// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <QStaticText>
#include <vector>

namespace rankscope::bench {

/// Milliseconds that this thread has worked: a frame is built and painted on one thread, and what else the machine does
/// must not count.
[[nodiscard]] double workedMs();

/// What frames are measured by (design 8): one fill of the image, 5,000 filled rectangles and 500 static texts, drawn
/// by the raster painter.
class ReferenceFrame {
  public:
    explicit ReferenceFrame(const QSize& size);
    /// Draws it once; milliseconds worked.
    [[nodiscard]] double draw();

  private:
    QImage image_;
    std::vector<QStaticText> texts_;
};

struct Percentiles {
    double p50 = 0;
    double p99 = 0;
};
[[nodiscard]] Percentiles percentilesOf(std::vector<double> ms);

}  // namespace rankscope::bench
