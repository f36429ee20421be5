// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/frame/frame_pipeline.h"

#include <cmath>
#include <utility>

#include "ui/timeline/frame/counter_bars.h"
#include "ui/timeline/frame/host_bars.h"
#include "ui/timeline/frame/metrics.h"

namespace rankscope::ui {

FramePipeline::FramePipeline(const Theme& theme, double pixel_ratio) : theme_(theme), pixel_ratio_(pixel_ratio) {}

void FramePipeline::setTheme(const Theme& theme) {
    theme_ = theme;
    builder_.reset();
    painter_.reset();
    outdate();
}

void FramePipeline::setPixelRatio(double pixel_ratio) {
    if (std::exchange(pixel_ratio_, pixel_ratio) != pixel_ratio) {
        builder_.reset();
        painter_.reset();
        outdate();
    }
}

void FramePipeline::outdate() {
    if (frame_) {
        spare_ = std::move(*frame_);
        frame_.reset();
    }
}

const Frame& FramePipeline::frame(const FrameSource& source) {
    if (!frame_) {
        if (!builder_) {
            builder_.emplace(theme_, pixel_ratio_);
            painter_.emplace(theme_, pixel_ratio_);
        }
        frame_ = builder_->build(source.model, source.layout, source.view, std::move(spare_));
        painted_ = false;
        ++frames_;
    }
    return *frame_;
}

const QImage& FramePipeline::image(const FrameSource& source) {
    const Frame& list = frame(source);
    if (!painted_) {
        if (image_.width() != list.width || image_.height() != list.height) {
            resizeImage(list.width, list.height);
        }
        image_.setDevicePixelRatio(1.0);  // the draw list is in device pixels
        painter_->paint(list, source.layout, image_);
        image_.setDevicePixelRatio(pixel_ratio_);
        painted_ = true;
    }
    return image_;
}

void FramePipeline::resizeImage(int width, int height) {
    const std::size_t line = static_cast<std::size_t>(width) * sizeof(QRgb);
    const std::size_t wanted = line * static_cast<std::size_t>(height);
    if (wanted > bytes_) {
        bytes_ = 2 * wanted;  // the timeline grows by a strip that is hidden; pages that are never written cost nothing
        image_ = QImage();
        memory_ = std::make_unique_for_overwrite<uchar[]>(bytes_);
    }
    image_ = QImage(memory_.get(), width, height, static_cast<qsizetype>(line), QImage::Format_RGB32);
}

Hit FramePipeline::hit(const FrameSource& source, const QPointF& at) {
    const auto device = [this](double v) { return static_cast<int>(std::floor(v * pixel_ratio_)); };
    if (at.x() < 0 || at.y() < 0 || at.x() >= source.view.width || at.y() >= source.view.height) {
        return {};
    }
    const Frame& list = frame(source);
    Hit hit = hitTest(list, device(at.x()), device(at.y()), device(metrics::kHitTolerance));
    if (hit.running) {
        hit.what = stallAtBar(source.model, list, *hit.running, device(at.x()));
    }
    if (hit.counter) {
        hit.what = sliceOfCounter(source.model, list, *hit.counter, device(at.x()));
    }
    if (hit.path) {
        hit.what = sliceOfPath(source.model, *hit.path);
    }
    return hit;
}

}  // namespace rankscope::ui
