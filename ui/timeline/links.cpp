// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/links.h"

#include <QPainterPath>
#include <algorithm>
#include <cmath>
#include <optional>

#include "ui/timeline/metrics.h"

namespace rankscope::ui {
namespace {

constexpr std::size_t kLaunchesShown = 64;  // a CUDA graph launches thousands
constexpr double kHead = 7;                 // logical pixels
constexpr double kFar = 4'000;              // beyond the view an end need not be where it is
constexpr double kLeastBend = 24;

/// The collective that a slice is a part of, or whose operator or launch it is; nullptr if there is none.
const Collective* collectiveOf(const AnalysedRun& run, const SliceSelection& s) {
    for (const Collective& collective : run.facts.collectives.collectives) {
        const CollectiveMember* member = collective.memberOf(s.rank);
        if (member != nullptr &&
            (member->op == s.slice || std::ranges::find(member->slices, s.slice) != member->slices.end())) {
            return &collective;
        }
    }
    return nullptr;
}

/// The member that the others waited for; nullptr where that is not known, or nobody waited.
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

void addCollective(const AnalysedRun& run, const SliceSelection& s, std::vector<Link>& links) {
    const Collective* collective = collectiveOf(run, s);
    if (collective == nullptr) {
        return;
    }
    const CollectiveMember* last = lastOf(*collective);
    const CollectiveMember* before = nullptr;
    for (const CollectiveMember& member : collective->members) {
        if (member.slices.empty()) {
            continue;
        }
        if (before != nullptr) {
            links.push_back({LinkKind::Collective,
                             {s.run, before->rank, before->slices.front()},
                             {s.run, member.rank, member.slices.front()},
                             &member == last});
            if (before == last) {
                std::swap(links.back().from, links.back().to);  // the head is at who came last
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

// From the proof of the longest cause over the launch to the work that ended the gap.
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

/// Where the slice begins and ends, and the height of its middle, in the widget.
struct End {
    double left = 0;
    double right = 0;
    double y = 0;
};

std::optional<End> endOf(const LinkView& view, const SliceSelection& s) {
    const TimeSpan span = view.model->spanOf(s);
    const LayoutRow* row = view.layout->standIn(s.run, s.rank, s.slice.track);
    if (row == nullptr) {
        return {};
    }
    double middle = row->height / 2.0;
    if (row->kind == RowKind::Track) {
        const std::uint16_t depth = view.model->rank(s.run, s.rank)->trace->track(s.slice).slices.depth[s.slice.slice];
        middle = std::min<int>(depth, row->rows - 1) * row->row_height + row->row_height / 2.0;
    }
    const auto x = [&](TimeNs t) {
        return view.tracks.left() + std::clamp(view.viewport->xAt(t), -kFar, view.tracks.width() + kFar);
    };
    return End{x(span.start_ns), x(span.end_ns), view.tracks.top() + view.rows.toView(row->y) + middle};
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

void paintLink(QPainter& painter, const Link& link, const End& from, const End& to, const Theme& theme) {
    const QColor color = colorOf(link, theme);
    const bool between_ranks = link.kind == LinkKind::Collective;
    // Ranks are tied at the starts, so that the slant tells who came later; a launch goes from the call to the start.
    const QPointF a(from.left, from.y);
    const QPointF b(to.left, to.y);
    QPainterPath path(a);
    QPointF before = a;
    if (between_ranks) {
        path.lineTo(b);
    } else {
        const double bend = std::max(kLeastBend, std::abs(b.x() - a.x()) / 2);
        before = b - QPointF(bend, 0);
        path.cubicTo(a + QPointF(bend, 0), before, b);
    }
    painter.setBrush(Qt::NoBrush);
    QColor halo = theme.track;
    halo.setAlpha(190);
    painter.setPen(QPen(halo, 4));
    painter.drawPath(path);
    painter.setPen(QPen(color, link.to_is_last ? 2 : 1.5));
    painter.drawPath(path);
    if (!between_ranks || link.to_is_last) {
        paintHead(painter, b, before.x(), before.y(), color);
    }
}

}  // namespace

std::vector<Link> linksOf(const TimelineModel& model, const Selection& selection) {
    std::vector<Link> links;
    if (!model.holds(selection)) {
        return links;
    }
    if (const auto* s = std::get_if<SliceSelection>(&selection)) {
        const RankTrace& trace = *model.rank(s->run, s->rank)->trace;
        addCollective(*model.runs()[s->run].run, *s, links);
        addLaunches(trace, *s, links);
        addFlows(trace, *s, links);
    } else if (const auto* g = std::get_if<GapSelection>(&selection)) {
        addCauses(*model.gap(*g), *g, links);
    }
    return links;
}

void paintLinks(QPainter& painter, const LinkView& view, const std::vector<Link>& links, const Theme& theme) {
    painter.save();
    painter.setClipRect(view.tracks);
    painter.setRenderHint(QPainter::Antialiasing);
    for (const Link& link : links) {
        const auto from = endOf(view, link.from);
        const auto to = endOf(view, link.to);
        if (from && to) {
            paintLink(painter, link, *from, *to, theme);
        }
    }
    painter.restore();
}

}  // namespace rankscope::ui
