// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/paint/strip_painter.h"

#include <algorithm>
#include <numeric>

#include "ui/theme/slice_colors.h"
#include "ui/timeline/frame/gap_look.h"

namespace rankscope::ui {
namespace {

constexpr unsigned kFaintestBand = 70;  // out of 256: a band that covers almost nothing of its pixel
constexpr unsigned kStrongestBand = 256;

// The end of the marks from `first` on that have the same height.
template <class Mark>
std::uint32_t endOfHeight(const std::vector<Mark>& marks, std::uint32_t first) {
    std::uint32_t last = first;
    while (last < marks.size() && marks[last].y == marks[first].y && marks[last].height == marks[first].height) {
        ++last;
    }
    return last;
}

std::array<QRgb, 256> strengths(const Theme& theme, const QColor& color, unsigned faintest, unsigned strongest) {
    std::array<QRgb, 256> made{};
    for (unsigned i = 0; i < made.size(); ++i) {
        made[i] = mix(theme.track.rgb(), color.rgb(), faintest + (strongest - faintest) * i / 255);
    }
    return made;
}

// Sorts the runs and merges those that touch: gaps of several devices may.
void unite(std::vector<PixelRun>& runs) {
    std::ranges::sort(runs, {}, &PixelRun::first);
    std::size_t kept = 0;
    for (std::size_t i = 1; i < runs.size(); ++i) {
        if (runs[i].first <= runs[kept].last) {
            runs[kept].last = std::max(runs[kept].last, runs[i].last);
        } else {
            runs[++kept] = runs[i];
        }
    }
    runs.resize(std::min(runs.size(), kept + 1));
}

QRgb at(const std::array<QRgb, 256>& strengths, double share) {
    return strengths[static_cast<std::size_t>(std::clamp(share, 0.0, 1.0) * 255)];
}

}  // namespace

StripPainter::StripPainter(const Theme& theme)
    : theme_(theme),
      overlap_(strengths(theme, theme.overlap, kFaintestBand, kStrongestBand)),
      exposed_(strengths(theme, theme.exposed, kFaintestBand, kStrongestBand)),
      gap_(strengths(theme, theme.gap, GapLook::kFaintestMark, GapLook::kStrongestMark)) {}

void StripPainter::paint(const Frame& frame, const RowLayout& layout, const Canvas& canvas) {
    findBacks(frame, layout);
    findLayers(frame);
    by_y_.resize(layers_.size());
    std::iota(by_y_.begin(), by_y_.end(), std::size_t{0});
    std::ranges::stable_sort(by_y_, {}, [this](std::size_t l) { return layers_[l].y; });
    cuts_.clear();
    std::ranges::transform(backs_, std::back_inserter(cuts_), &Back::y);
    for (const Layer& layer : layers_) {
        cuts_.insert(cuts_.end(), {layer.y, layer.end});
    }
    cuts_.push_back(frame.height);
    std::ranges::sort(cuts_);
    cuts_.erase(std::ranges::unique(cuts_).begin(), cuts_.end());

    present_.clear();
    under_.back = nullptr;
    auto back = backs_.begin();
    auto next = by_y_.begin();
    for (std::size_t i = 0; i + 1 < cuts_.size(); ++i) {
        const int y = cuts_[i];
        while (std::next(back) != backs_.end() && std::next(back)->y <= y) {
            ++back;
        }
        std::erase_if(present_, [&](std::size_t l) { return layers_[l].end <= y; });
        for (; next != by_y_.end() && layers_[*next].y <= y; ++next) {
            present_.insert(std::ranges::upper_bound(present_, *next), *next);
        }
        paintStrip(frame, *back, y, cuts_[i + 1], canvas);
    }
}

void StripPainter::findBacks(const Frame& frame, const RowLayout& layout) {
    const int hairline = std::max(1, static_cast<int>(frame.pixel_ratio));
    backs_.clear();
    int painted = 0;
    for (const FrameRow& place : frame.rows) {
        const RowKind kind = layout.rows()[place.row].kind;
        const bool stays = frame.staysAtTop(place.y, place.height);
        const int top = std::max(place.y, frame.sticky);
        const int end = std::min(place.y + place.height, frame.height);
        if (!isHeader(kind) || stays || end <= top) {
            continue;
        }
        if (painted < top) {
            backs_.push_back({painted, theme_.track.rgb(), true});
        }
        const int line_end = std::clamp(place.y + hairline, top, end);
        if (line_end > top) {
            backs_.push_back({top, theme_.border.rgb(), false});
        }
        backs_.push_back({line_end, (kind == RowKind::Rank ? theme_.track_alt : theme_.surface).rgb(), true});
        painted = end;
    }
    if (painted < frame.height) {
        backs_.push_back({painted, theme_.track.rgb(), true});
    }
}

void StripPainter::findLayers(const Frame& frame) {
    layers_.clear();
    for (std::uint32_t i = 0; i < frame.steps.size();) {
        const FrameStep& at = frame.steps[i];
        const std::uint32_t last = endOfHeight(frame.steps, i);
        addLayer({Kind::Steps, at.y, at.y + at.height, i, last}, false, frame);
        i = last;
    }
    for (std::uint32_t i = 0; i < frame.gaps.size();) {
        const FrameGap& at = frame.gaps[i];
        const std::uint32_t last = endOfHeight(frame.gaps, i);
        addLayer({Kind::Gaps, at.y, at.y + at.height, i, last}, false, frame);
        i = last;
    }
    for (const FrameSliceRow& slice_row : frame.slice_rows) {
        addLayer({Kind::Slices, slice_row.y, slice_row.y + slice_row.height, slice_row.first, slice_row.last},
                 frame.staysAtTop(slice_row.y, slice_row.height), frame);
    }
    for (std::size_t i = 0; i < frame.band_rows.size(); ++i) {
        const FrameBandRow& band_row = frame.band_rows[i];
        const int height =
            band_row.height > 3 ? band_row.height - 1 : band_row.height;  // a thick band keeps its distance
        addLayer({Kind::Bands, band_row.y, band_row.y + height, band_row.first, band_row.last, i}, false, frame);
    }
}

// Content that does not stay at the top is clipped there.
void StripPainter::addLayer(const Layer& layer, bool stays, const Frame& frame) {
    Layer cut = layer;
    cut.y = std::max(layer.y, stays ? 0 : frame.sticky);
    cut.end = std::min(layer.end, frame.height);
    if (cut.y < cut.end && cut.first < cut.last) {
        layers_.push_back(cut);
    }
}

void StripPainter::paintStrip(const Frame& frame, const Back& back, int y, int end, const Canvas& canvas) {
    startLine(frame, back);
    if (under_.hatched.empty()) {
        line_ = under_.line;
        addOver(frame, line_);
        for (int at = y; at < end; ++at) {
            line_.paint(canvas, at);
        }
        return;
    }
    over_.clear(frame.width);
    addOver(frame, over_);
    whole_ = under_.line;
    over_.paintOver(whole_);
    over_.keepOnly(under_.hatched);
    const GapLook look(frame, theme_);
    for (int first = y; first < std::min(end, y + look.period); ++first) {
        line_ = whole_;
        addHatch(frame, look, first);
        over_.paintOver(line_);
        for (int at = first; at < end; at += look.period) {
            line_.paint(canvas, at);
        }
    }
}

// The background of the slices: often the same as in the previous strip.
void StripPainter::startLine(const Frame& frame, const Back& back) {
    under_layers_.clear();
    std::ranges::copy_if(present_, std::back_inserter(under_layers_), [this](std::size_t l) {
        return layers_[l].kind == Kind::Steps || layers_[l].kind == Kind::Gaps;
    });
    if (under_.back == &back && under_.layers == under_layers_) {
        return;
    }
    under_.back = &back;
    under_.layers = under_layers_;
    under_.hatched.clear();
    under_.line.fill(frame.width, back.color);
    for (const RulerTick& tick : frame.ruler.ticks) {
        if (tick.major && back.grid) {
            const int x = frame.scale.pixelAt(tick.at_ns);
            under_.line.add(x, x + 1, theme_.grid.rgb());
        }
    }
    for (const std::size_t l : under_layers_) {
        if (layers_[l].kind == Kind::Steps) {
            addSteps(frame, layers_[l]);
        } else {
            addNarrowGaps(frame, layers_[l]);
        }
    }
    unite(under_.hatched);
}

void StripPainter::addSteps(const Frame& frame, const Layer& layer) {
    for (std::uint32_t i = layer.first; i < layer.last; ++i) {
        const FrameStep& step = frame.steps[i];
        under_.line.add(step.x0, step.drawnEnd(), step.fill);
    }
}

void StripPainter::addNarrowGaps(const Frame& frame, const Layer& layer) {
    for (std::uint32_t i = layer.first; i < layer.last; ++i) {
        const FrameGap& gap = frame.gaps[i];
        if (!GapLook::isNarrow(gap)) {
            under_.hatched.push_back({gap.x0, gap.x1});
            continue;
        }
        under_.line.add(gap.x0, gap.x1, at(gap_, gap.share));
    }
}

// Slices and bands.
template <class Line>
void StripPainter::addOver(const Frame& frame, Line& line) const {
    for (const std::size_t l : present_) {
        const Layer& layer = layers_[l];
        if (layer.kind == Kind::Slices) {
            for (std::uint32_t i = layer.first; i < layer.last; ++i) {
                const FrameItem& item = frame.items[i];
                line.add(item.x0, item.drawnEnd(), item.fill);
            }
        } else if (layer.kind == Kind::Bands) {
            const bool overlap = frame.band_rows[layer.of].kind == BandKind::Overlap;
            const Strengths& colors = overlap ? overlap_ : exposed_;
            for (std::uint32_t i = layer.first; i < layer.last; ++i) {
                const FrameBand& band = frame.bands[i];
                line.add(band.x0, band.x1, colors[band.share]);
            }
        }
    }
}

// Line `y` of wide gaps.
void StripPainter::addHatch(const Frame& frame, const GapLook& look, int y) {
    for (const std::size_t l : present_) {
        if (layers_[l].kind != Kind::Gaps) {
            continue;
        }
        for (std::uint32_t i = layers_[l].first; i < layers_[l].last; ++i) {
            const FrameGap& gap = frame.gaps[i];
            const int left = std::max(gap.x0, 0);
            const int right = std::min(gap.x1, frame.width);
            if (GapLook::isNarrow(gap) || left >= right) {
                continue;
            }
            line_.add(left, right, look.back);
            // The last start of a stripe at or before the left end.
            const int place = (left + look.phase + y - gap.y) % look.period;
            for (int x = left - place; x < right; x += look.period) {
                line_.add(std::max(x, left), std::min(x + look.period / 2, right), look.stripe);
            }
            line_.add(gap.x0, gap.x0 + 1, look.edge);
            line_.add(gap.x1 - 1, gap.x1, look.edge);
        }
    }
}

}  // namespace rankscope::ui
