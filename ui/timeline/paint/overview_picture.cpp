// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/paint/overview_picture.h"

#include <QPainterPath>
#include <algorithm>
#include <cmath>
#include <map>
#include <span>

#include "ui/theme/slice_colors.h"

namespace rankscope::ui {
namespace {

constexpr unsigned kCoolest = 34;  // out of 256: text colour in a cell without heat
constexpr double kMiddleHeat = 0.5;
constexpr double kHottest = 0.8;          // from here on a cell is red rather than amber
constexpr std::size_t kStripePeriod = 4;  // device pixels
constexpr unsigned kStripe = 170;         // out of 256: the share of the background in a stripe

constexpr double kNoStep = -1.0;    // as heat: there is no step
constexpr double kNotKnown = -0.5;  // as heat: a step with an unknown measure

QRgb* lineOf(QImage& image, int y) {
    return reinterpret_cast<QRgb*>(image.scanLine(y));  // Format_RGB32: 32-bit aligned by Qt's contract
}

// Adds to `busy` the share of each pixel in which the device of `rank` works, 0 to 1.
void addBusy(const OverviewScene& scene, const OverviewRank& rank, std::vector<double>& busy) {
    if (rank.index == nullptr) {
        return;
    }
    const PixelScale scale = scene.scale();
    const TimeSpan window{rank.toFile(scene.limits.start_ns), rank.toFile(scene.limits.end_ns)};
    std::vector<LodItem> scratch;
    const auto step = static_cast<DurationNs>(std::ceil(1.0 / scale.pixels_per_ns));
    const auto pixel_ns = 1.0 / scale.pixels_per_ns;
    for (const LodItem& item : rank.index->busy_lod.query(rank.index->busy.spans(), window, step, scratch)) {
        const double density = item.busyShare();
        const double from = static_cast<double>(rank.toAxis(item.span.start_ns) - scene.limits.start_ns) / pixel_ns;
        const double to = static_cast<double>(rank.toAxis(item.span.end_ns) - scene.limits.start_ns) / pixel_ns;
        const int first = std::max(0, static_cast<int>(from));
        const int last = std::min(scene.width - 1, static_cast<int>(to));
        for (int x = first; x <= last; ++x) {
            const double covered = std::min(to, x + 1.0) - std::max(from, static_cast<double>(x));
            busy[static_cast<std::size_t>(x)] += density * std::max(0.0, covered);
        }
    }
}

QImage busyImage(const OverviewScene& scene, const std::stop_token& stop) {
    QImage image(scene.width, scene.busy_height, QImage::Format_RGB32);
    const QRgb back = scene.theme.track.rgb();
    const QRgb full = SliceColors::of(scene.theme).middle(Hue::Compute);
    std::vector<double> busy(static_cast<std::size_t>(scene.width));
    std::pair<std::size_t, std::size_t> before{1, 0};
    for (int y = 0; y < scene.busy_height && !stop.stop_requested(); ++y) {
        const auto ranks = scene.ranksAt(y, scene.busy_height);
        if (ranks == before) {
            std::copy_n(lineOf(image, y - 1), scene.width, lineOf(image, y));
            continue;
        }
        before = ranks;
        std::ranges::fill(busy, 0.0);
        for (std::size_t r = ranks.first; r < ranks.second; ++r) {
            addBusy(scene, scene.ranks[r], busy);
        }
        const auto count = static_cast<double>(std::max<std::size_t>(1, ranks.second - ranks.first));
        QRgb* line = lineOf(image, y);
        for (int x = 0; x < scene.width; ++x) {
            const double share = std::min(1.0, busy[static_cast<std::size_t>(x)] / count);
            line[x] = mix(back, full, static_cast<unsigned>(share * 256));
        }
    }
    return image;
}

// Adds the steps of one rank to the line of the hottest so far.
void addCells(const OverviewScene& scene, const OverviewRank& rank, std::vector<double>& heat) {
    const PixelScale scale = scene.scale();
    const StepCells& cells = scene.cells[rank.run];
    for (const DrawnStep& step : rank.steps()) {
        const int x0 = std::max(0, scale.pixelAt(rank.toAxis(step.span.start_ns)));
        int x1 = std::min(scene.width, std::max(scale.pixelAt(rank.toAxis(step.span.end_ns)), x0 + 1));
        x1 -= x1 - x0 > 4 ? 1 : 0;  // separates wide cells
        const double value = cells.heat(rank.rank, step.step).value_or(kNotKnown);
        for (int x = x0; x < x1; ++x) {
            double& hottest = heat[static_cast<std::size_t>(x)];
            hottest = std::max(hottest, value);
        }
    }
}

// The hottest cells are as bright as those in the middle, so they also have stripes.
void stripeHottest(const std::vector<double>& heat, const Theme& theme, QRgb* line) {
    for (std::size_t x = 0; x < heat.size(); x += kStripePeriod) {
        if (heat[x] >= kHottest) {
            line[x] = mix(line[x], theme.track.rgb(), kStripe);
        }
    }
}

// Unknown is not the same as no heat: an unknown measure is empty except for thin lines, which show that there is a
// step.
void stripeUnknown(const std::vector<double>& heat, const Theme& theme, QRgb* line) {
    for (std::size_t x = 0; x < heat.size(); x += kStripePeriod) {
        if (heat[x] == kNotKnown) {
            line[x] = heatColor(0.0, theme);
        }
    }
}

QImage cellImage(const OverviewScene& scene, const std::stop_token& stop) {
    QImage image(scene.width, scene.cell_height, QImage::Format_RGB32);
    const QRgb back = scene.theme.track.rgb();
    std::vector<double> heat(static_cast<std::size_t>(scene.width));
    std::pair<std::size_t, std::size_t> before{1, 0};
    for (int y = 0; y < scene.cell_height && !stop.stop_requested(); ++y) {
        const auto ranks = scene.ranksAt(y, scene.cell_height);
        if (ranks == before) {
            std::copy_n(lineOf(image, y - 1), scene.width, lineOf(image, y));
            continue;
        }
        before = ranks;
        std::ranges::fill(heat, kNoStep);
        for (std::size_t r = ranks.first; r < ranks.second; ++r) {
            addCells(scene, scene.ranks[r], heat);
        }
        QRgb* line = lineOf(image, y);
        std::ranges::transform(heat, line, [&](double h) { return h < 0 ? back : heatColor(h, scene.theme); });
        stripeUnknown(heat, scene.theme, line);
        stripeHottest(heat, scene.theme, line);
    }
    return image;
}

}  // namespace

PixelScale OverviewScene::scale() const {
    const double pixels_per_ns = width / static_cast<double>(std::max<DurationNs>(1, limits.length()));
    return {pixels_per_ns, static_cast<std::int64_t>(std::floor(static_cast<double>(limits.start_ns) * pixels_per_ns))};
}

std::pair<std::size_t, std::size_t> OverviewScene::ranksAt(int line, int height) const {
    const auto edge = [&](int y) {
        return ranks.size() * static_cast<std::size_t>(y) / static_cast<std::size_t>(height);
    };
    if (height <= 0 || line < 0 || line >= height) {
        return {0, 0};
    }
    const std::size_t first = edge(line);
    return {first, std::max(edge(line + 1), std::min(first + 1, ranks.size()))};
}

std::optional<OverviewScene::Cell> OverviewScene::cellAt(TimeNs axis_ns, int line) const {
    std::optional<Cell> hottest;
    const auto [first, last] = ranksAt(line, cell_height);
    for (std::size_t r = first; r < last; ++r) {
        const OverviewRank& rank = ranks[r];
        const auto steps = rank.steps();
        const auto step = std::ranges::partition_point(
            steps, [&](const DrawnStep& s) { return rank.toAxis(s.span.end_ns) <= axis_ns; });
        if (step == steps.end() || rank.toAxis(step->span.start_ns) > axis_ns) {
            continue;
        }
        const auto heat = cells[rank.run].heat(rank.rank, step->step);
        if (!hottest || heat.value_or(-1.0) > hottest->heat.value_or(-1.0)) {
            hottest = Cell{r, static_cast<std::size_t>(step - steps.begin()), heat};
        }
    }
    return hottest;
}

void measureCells(OverviewScene& scene) {
    const auto fill = [&](StepMeasure measure) {
        scene.measure = measure;
        scene.cells.clear();
        for (const auto& run : scene.runs) {
            scene.cells.push_back(stepCells(run->facts, measure));
        }
        return std::ranges::any_of(scene.cells, &StepCells::any);
    };
    if (!fill(scene.measure)) {
        fill(StepMeasure::StepTime);
    }
}

std::optional<OverviewPicture> paintOverview(const OverviewScene& scene, const std::stop_token& stop) {
    if (scene.width <= 0) {
        return {};
    }
    OverviewPicture picture{busyImage(scene, stop), cellImage(scene, stop)};
    return stop.stop_requested() ? std::nullopt : std::optional(std::move(picture));
}

void paintAsShapes(QPainter& painter, const QRect& area, const QImage& picture) {
    if (picture.isNull()) {
        return;
    }
    const auto line_of = [&](int y) {
        // Format_RGB32: 32-bit aligned by Qt's contract
        return std::span(reinterpret_cast<const QRgb*>(picture.constScanLine(y)),
                         static_cast<std::size_t>(picture.width()));
    };
    std::map<QRgb, QPainterPath> shapes;  // one shape for each colour: a rectangle for each cell would make a file take
                                          // many times as long
    for (int y = 0, below = 1; y < picture.height(); y = below++) {
        const auto line = line_of(y);
        while (below < picture.height() && std::ranges::equal(line, line_of(below))) {
            ++below;
        }
        for (auto first = line.begin(); first != line.end();) {
            const auto last = std::find_if(first, line.end(), [&](QRgb color) { return color != *first; });
            shapes[*first].addRect(static_cast<double>(first - line.begin()), y, static_cast<double>(last - first),
                                   below - y);
            first = last;
        }
    }
    painter.save();
    painter.translate(area.topLeft());
    painter.scale(1.0 * area.width() / picture.width(), 1.0 * area.height() / picture.height());
    for (const auto& [color, shape] : shapes) {
        painter.fillPath(shape, QColor::fromRgb(color));
    }
    painter.restore();
}

QRgb heatColor(double heat, const Theme& theme) {
    const QRgb cool = mix(theme.track.rgb(), theme.text_dim.rgb(), kCoolest * 2);
    if (heat <= kMiddleHeat) {
        return mix(cool, theme.gap.rgb(), static_cast<unsigned>(heat / kMiddleHeat * 256));
    }
    const double rest = (heat - kMiddleHeat) / (1.0 - kMiddleHeat);
    return mix(theme.gap.rgb(), theme.straggler.rgb(), static_cast<unsigned>(rest * 256));
}

}  // namespace rankscope::ui
