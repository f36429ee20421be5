// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/selection/links.h"

#include <QPaintEngine>
#include <QPainterPath>
#include <algorithm>
#include <cmath>
#include <optional>

#include "ui/timeline/frame/metrics.h"

namespace rankscope::ui {
namespace {

constexpr std::size_t kLaunchesShown = 64;  // a CUDA graph launches thousands
constexpr std::size_t kHaloedLinks = 12;    // more of them overlap anyway
constexpr double kHead = 7;                 // logical pixels
constexpr double kBeyondView = 4'000;       // ends are moved closer if they are farther than this beyond the view
constexpr double kLeastBend = 24;

/// The member that the others waited for; nullptr if it is unknown, or if none waited.
const CollectiveMember* lastOf(const Collective& collective) {
    const CollectiveMember* last = nullptr;
    bool waited = false;
    for (const CollectiveMember& member : collective.members) {
        if (!member.wait_ns) {
            return nullptr;
        }
        last = last == nullptr || *member.wait_ns < *last->wait_ns ? &member : last;
        waited = waited || *member.wait_ns > 0;
    }
    return waited ? last : nullptr;
}

/// Adds the links of the collective that contains a slice, or whose operator it is.
void addCollective(const RunView& run, const SliceSelection& s, std::vector<Link>& links) {
    const auto found = run.collectives ? run.collectives->of(s.rank, s.slice) : std::nullopt;
    if (!found) {
        return;
    }
    const Collective& collective = run.run->facts.collectives.collectives[*found];
    const CollectiveMember* last = lastOf(collective);
    const CollectiveMember* before = nullptr;
    for (const CollectiveMember& member : collective.members) {
        if (member.slices.empty()) {
            continue;
        }
        if (before != nullptr) {
            links.push_back({LinkKind::Collective,
                             {s.run, before->rank, before->slices.front()},
                             {s.run, member.rank, member.slices.front()},
                             &member == last});
            if (before == last) {
                std::swap(links.back().from, links.back().to);  // the head points at the member that arrived last
                links.back().to_is_last = true;
            }
        }
        before = &member;
    }
}

void addLaunches(const RankTrace& trace, const SliceSelection& s, std::vector<Link>& links) {
    const auto at = [&](SliceRef ref) { return SliceSelection{s.run, s.rank, ref}; };
    if (const SliceRef launch = trace.launches.launchOf(s.slice); launch.valid()) {
        links.push_back({LinkKind::Launch, at(launch), s, false});
    }
    const auto launched = trace.launches.launchedBy(s.slice);
    for (std::size_t i = 0; i < std::min(launched.size(), kLaunchesShown); ++i) {
        links.push_back({LinkKind::Launch, s, at(launched[i].device), false});
    }
}

void addFlows(const RankTrace& trace, const SliceSelection& s, std::vector<Link>& links) {
    for (auto flow = std::ranges::lower_bound(trace.flows, s.slice, {}, &Flow::from);
         flow != trace.flows.end() && flow->from == s.slice; ++flow) {
        links.push_back({LinkKind::Flow, s, {s.run, s.rank, flow->to}, false});
    }
    const auto to = std::ranges::find(trace.flows, s.slice, &Flow::to);
    if (to != trace.flows.end()) {
        links.push_back({LinkKind::Flow, {s.run, s.rank, to->from}, s, false});
    }
}

// From the evidence of the longest cause over the launch to the work that ended the gap.
void addCauses(const Gap& gap, const GapSelection& g, std::vector<Link>& links) {
    std::vector<SliceRef> chain;
    const auto part = std::ranges::max_element(
        gap.parts, {}, [](const GapPart& p) { return p.evidence.empty() ? -1 : p.span.length(); });
    if (part != gap.parts.end() && !part->evidence.empty()) {
        chain.push_back(part->evidence.front());
    }
    for (const SliceRef next : {gap.launch, gap.releasing}) {
        if (next.valid() && (chain.empty() || chain.back() != next)) {
            chain.push_back(next);
        }
    }
    for (std::size_t i = 1; i < chain.size(); ++i) {
        links.push_back({LinkKind::Cause, {g.run, g.rank, chain[i - 1]}, {g.run, g.rank, chain[i]}, false});
    }
}

/// Where the slice begins and ends, and the middle of its height, in the widget.
struct End {
    double left = 0;
    double right = 0;
    double y = 0;
    const LayoutRow* header = nullptr;  // the header that contains the slice's folded track; nullptr if the track is
                                        // shown
};

/// The row that shows a track: its own, otherwise the nearest header that it is folded into.
const LayoutRow* rowOf(const LinkView& view, const SliceSelection& s) {
    const LayoutRow* row = view.layout->visibleProxy(s.run, s.rank, s.slice.track);
    if (row == nullptr || row->kind != RowKind::Rank) {
        return row;
    }
    const LayoutRow* list = view.layout->find(listOf(*view.model->rank(s.run, s.rank)->trace, s.slice.track));
    return list != nullptr ? list : row;
}

std::optional<End> endOf(const LinkView& view, const SliceSelection& s) {
    const TimeSpan span = view.model->spanOf(s);
    const LayoutRow* row = rowOf(view, s);
    if (row == nullptr) {
        return {};
    }
    double middle = row->height / 2.0;
    if (row->kind == RowKind::Track) {
        const std::uint16_t depth = view.model->rank(s.run, s.rank)->trace->track(s.slice).slices.depth[s.slice.slice];
        middle = std::min<int>(depth, row->rows - 1) * row->row_height + row->row_height / 2.0;
    }
    const auto x = [&](TimeNs t) {
        return view.tracks.left() + std::clamp(view.viewport->xAt(t), -kBeyondView, view.tracks.width() + kBeyondView);
    };
    return End{x(span.start_ns), x(span.end_ns), view.tracks.top() + view.rows.toView(row->y) + middle,
               row->kind == RowKind::Track ? nullptr : row};
}

/// Inside one header a link would cross its contents, and lead nowhere.
bool isFoldedAway(const End& from, const End& to) {
    return from.header != nullptr && from.header == to.header;
}

QColor colorOf(const Link& link, const Theme& theme) {
    switch (link.kind) {
        case LinkKind::Collective: return link.to_is_last ? theme.straggler : theme.accent;
        case LinkKind::Cause: return theme.gap;
        case LinkKind::Launch:
        case LinkKind::Flow: break;
    }
    return theme.accent;
}

void paintHead(QPainter& painter, const QPointF& tip, double from_x, double from_y, const QColor& color) {
    const double length = std::max(1e-6, std::hypot(tip.x() - from_x, tip.y() - from_y));
    const QPointF along((tip.x() - from_x) / length, (tip.y() - from_y) / length);
    const QPointF across(-along.y(), along.x());
    const QPointF corners[3] = {tip, tip - along * kHead + across * kHead / 2,
                                tip - along * kHead - across * kHead / 2};
    painter.setPen(Qt::NoPen);
    painter.setBrush(color);
    painter.drawPolygon(corners, 3);
}

// The curve of a link, and the direction of its head.
struct Curve {
    QPainterPath path;
    QPointF before;
    QPointF tip;
};

Curve curveOf(const Link& link, const End& from, const End& to) {
    // Ranks are connected at the starts, so that the slope shows which one came later; a launch goes from the call to
    // the start.
    const QPointF a(from.left, from.y);
    const QPointF b(to.left, to.y);
    Curve curve{QPainterPath(a), a, b};
    if (link.kind == LinkKind::Collective) {
        curve.path.lineTo(b);
    } else {
        const double bend = std::max(kLeastBend, std::abs(b.x() - a.x()) / 2);
        curve.before = b - QPointF(bend, 0);
        curve.path.cubicTo(a + QPointF(bend, 0), curve.before, b);
    }
    return curve;
}

/// Draws wide curves as adjacent hairlines: for a wide antialiased curve across the view Qt takes a millisecond, and a
/// CUDA graph has dozens.
class Strokes {
  public:
    explicit Strokes(QPainter& painter)
        : painter_(painter),
          ratio_(painter.device()->devicePixelRatioF()),
          wide_(painter.paintEngine()->type() == QPaintEngine::SVG) {}

    /// `width` is in logical pixels.
    void draw(const QPainterPath& path, const QColor& color, double width) const {
        painter_.setBrush(Qt::NoBrush);
        if (wide_) {
            painter_.setPen(QPen(color, width));
            painter_.drawPath(path);
            return;
        }
        QPen hairline(color, 1);
        hairline.setCosmetic(true);
        painter_.setPen(hairline);
        const double spread = std::max(0.0, width * ratio_ - 1);  // between the outer hairlines' middles, in device
                                                                  // pixels
        const int more = static_cast<int>(std::ceil(spread));
        for (int i = 0; i <= more; ++i) {
            const double away = more > 0 ? (spread * i / more - spread / 2) / ratio_ : 0.0;
            painter_.drawPath(path.translated(0, away));
            if (away != 0) {
                painter_.drawPath(path.translated(away, 0));  // for steep parts
            }
        }
    }

  private:
    QPainter& painter_;
    double ratio_;
    bool wide_;  // a picture that is scaled later must not consist of hairlines
};

}  // namespace

std::vector<Link> linksOf(const TimelineModel& model, const Selection& selection) {
    std::vector<Link> links;
    if (!model.holds(selection)) {
        return links;
    }
    if (const auto* s = std::get_if<SliceSelection>(&selection)) {
        const RankTrace& trace = *model.rank(s->run, s->rank)->trace;
        addCollective(model.runs()[s->run], *s, links);
        addLaunches(trace, *s, links);
        addFlows(trace, *s, links);
    } else if (const auto* g = std::get_if<GapSelection>(&selection)) {
        addCauses(*model.gap(*g), *g, links);
    }
    return links;
}

std::vector<std::size_t> waysFrom(const std::vector<Link>& links, const Selection& selection, Direction direction) {
    std::vector<std::size_t> ways;
    const auto* slice = std::get_if<SliceSelection>(&selection);
    for (std::size_t i = 0; slice != nullptr && i < links.size(); ++i) {
        if ((direction == Direction::Forward ? links[i].from : links[i].to) == *slice) {
            ways.push_back(i);
        }
    }
    std::ranges::stable_partition(ways, [&](std::size_t i) { return links[i].kind == LinkKind::Launch; });
    return ways;
}

void paintLinks(QPainter& painter, const LinkView& view, const std::vector<Link>& links, const Theme& theme) {
    painter.save();
    painter.setClipRect(view.tracks);
    painter.setRenderHint(QPainter::Antialiasing);
    const Strokes strokes(painter);
    const bool fan = links.size() > kHaloedLinks;
    QColor halo = theme.track;
    halo.setAlpha(120);
    for (const Link& link : links) {
        const auto from = endOf(view, link.from);
        const auto to = endOf(view, link.to);
        if (!from || !to || isFoldedAway(*from, *to)) {
            continue;
        }
        const Curve curve = curveOf(link, *from, *to);
        if (!curve.path.controlPointRect().adjusted(-kHead, -kHead, kHead, kHead).intersects(view.tracks)) {
            continue;
        }
        if (!fan) {
            strokes.draw(curve.path, halo, 4);
        }
        const QColor color = colorOf(link, theme);
        strokes.draw(curve.path, color, link.next ? 3 : link.to_is_last ? 2 : fan ? 1 : 1.5);
        if (link.kind != LinkKind::Collective || link.to_is_last) {
            paintHead(painter, curve.tip, curve.before.x(), curve.before.y(), color);
        }
    }
    painter.restore();
}

}  // namespace rankscope::ui
