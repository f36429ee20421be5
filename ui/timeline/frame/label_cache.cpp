// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/frame/label_cache.h"

#include <QPainter>
#include <cmath>

namespace rankscope::ui {
namespace {

constexpr qsizetype kTextsKept = 4096;
constexpr qsizetype kBytesKept = qsizetype{64} << 20;  // a 4K frame full of names has 20 MiB of labels
constexpr int kOverhang = 1;                           // device pixels that a letter may reach beyond its width

}  // namespace

LabelCache::LabelCache(const Theme& theme, double pixel_ratio)
    : font_(labelFont(theme, pixel_ratio)), measure_(font_) {}

const QStaticText& LabelCache::laidOut(const QString& text) {
    const auto known = texts_.constFind(text);
    if (known != texts_.constEnd()) {
        return *known;
    }
    if (texts_.size() >= kTextsKept) {
        texts_.clear();
    }
    QStaticText made(text);
    made.setTextFormat(Qt::PlainText);
    made.prepare(QTransform(), font_);
    return *texts_.insert(text, made);
}

void LabelCache::paintOnSolid(const FrameLabel& label, const Canvas& canvas) {
    const int x = static_cast<int>(std::lround(label.x)) - kOverhang;
    const Look look{label.text, label.color, label.back, label.height};
    if (const auto known = pictures_.constFind(look); known != pictures_.constEnd()) {
        canvas.copy(x, label.y, *known);
        return;
    }
    const int width = static_cast<int>(std::ceil(measure_.width(label.text))) + 2 * kOverhang;
    QImage picture(width, label.height, QImage::Format_RGB32);
    picture.fill(label.back);
    QPainter painter(&picture);
    painter.setFont(font_);
    painter.setPen(QColor::fromRgb(label.color));
    painter.drawStaticText(QPointF(kOverhang, topIn(label.height)), laidOut(label.text));
    painter.end();
    canvas.copy(x, label.y, picture);
    if (bytes_ > kBytesKept) {
        pictures_.clear();
        bytes_ = 0;
    }
    bytes_ += picture.sizeInBytes();
    pictures_.insert(look, picture);
}

}  // namespace rankscope::ui
