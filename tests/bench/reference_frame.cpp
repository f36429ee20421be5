// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/reference_frame.h"

#include <QPainter>
#include <algorithm>
#include <ctime>

namespace rankscope::bench {
namespace {

constexpr int kRectangles = 5'000;
constexpr int kTexts = 500;

}  // namespace

double workedMs() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

ReferenceFrame::ReferenceFrame(const QSize& size) : image_(size, QImage::Format_RGB32) {
    for (int i = 0; i < kTexts; ++i) {
        texts_.emplace_back(QStringLiteral("aten::convolution_%1").arg(i));
        texts_.back().setTextFormat(Qt::PlainText);
    }
}

double ReferenceFrame::draw() {
    const double start = workedMs();
    image_.fill(Qt::black);
    QPainter painter(&image_);
    for (int i = 0; i < kRectangles; ++i) {
        const int x = i * 37 % (image_.width() - 40);
        const int y = i * 53 % (image_.height() - 17);
        painter.fillRect(x, y, 40, 17, QColor::fromRgb(static_cast<QRgb>(i) * 2'654'435U));
    }
    painter.setPen(Qt::white);
    for (int i = 0; i < kTexts; ++i) {
        painter.drawStaticText(i * 71 % (image_.width() - 120), i * 29 % (image_.height() - 17),
                               texts_[static_cast<std::size_t>(i)]);
    }
    painter.end();
    return workedMs() - start;
}

Percentiles percentilesOf(std::vector<double> ms) {
    std::ranges::sort(ms);
    return {ms[ms.size() / 2], ms[ms.size() * 99 / 100]};
}

}  // namespace rankscope::bench
