// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/network/network_map.h"

#include <QFontMetricsF>
#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <utility>

#include "ui/panels/network/transport_look.h"
#include "ui/panels/shared/words.h"
#include "ui/theme/core_text.h"

namespace rankscope::ui {
namespace {

constexpr int kLeastNetwork = 110;  // pixels of height, even if there is nothing to show
constexpr double kBetweenHosts = 10;
constexpr double kLeastHost = 26;     // height of a box of several ranks
constexpr double kLeastOneRank = 12;  // height of a box of one rank
constexpr double kHighestHost = 480;
constexpr double kFlatHost = 1.7;      // ratio of width to height of a box, at most
constexpr std::size_t kFewRanks = 32;  // of a host
constexpr double kLargestRank = 16;    // radius
constexpr double kSmallestRank = 2;
constexpr double kPartOfDistance = 0.36;  // radius of a rank, of the distance to the next
constexpr double kLeastWritten = 7.5;     // radius of a rank with its number
constexpr double kLeastArrow = 4;         // radius of ranks with arrows between them
constexpr double kBend = 0.14;            // how far an edge bends, as a part of its length: two directions stay apart
constexpr double kMostBend = 40;          // so that it stays in the picture
constexpr double kTinyPart = 0.7;         // of a tiny rank's place that is filled
constexpr double kAroundRank = 2;
constexpr double kArrow = 7;
constexpr double kLeastTitled = 56;  // height of a box with a name
constexpr int kNetworkText = 11;
constexpr int kMostEdgesTold = 12;

double lengthOf(const QPointF& of) {
    return std::hypot(of.x(), of.y());
}

QPointF unit(const QPointF& of) {
    const double length = lengthOf(of);
    return length > 0 ? of / length : QPointF();
}

QPointF bentAt(const QPointF& from, const QPointF& to) {
    const QPointF along = to - from;
    const double bend = std::min(kBend * lengthOf(along), kMostBend);
    return (from + to) / 2 + unit({along.y(), -along.x()}) * bend;
}

}  // namespace

NetworkMap::NetworkMap(const Theme& theme, QWidget* parent) : PaintedCells(theme, parent) {
    setAccessibleName(tr("Ranks and their connections"));
    setMinimumHeight(kLeastNetwork);
}

void NetworkMap::setGraph(std::shared_ptr<const NetworkGraph> graph, std::size_t shape) {
    if (graph != graph_) {
        forgetCurrent();
        forgetPointed();
    }
    graph_ = std::move(graph);
    shape_ = shape;
    host_of_.assign(graph_ != nullptr ? graph_->ranks.size() : 0, 0);
    for (std::size_t host = 0; graph_ != nullptr && host < graph_->hosts.size(); ++host) {
        for (const std::size_t rank : graph_->hosts[host].ranks) {
            host_of_[rank] = host;
        }
    }
    layOut();
    tellContentChanged(*this);
}

const std::vector<GraphEdge>& NetworkMap::edges() const {
    static const std::vector<GraphEdge> none;
    return graph_ != nullptr && shape_ < graph_->shapes.size() ? graph_->shapes[shape_].edges : none;
}

// ---- layout

// As many boxes in a row as make them largest; if they do not fit, the picture grows and is scrolled.
void NetworkMap::layOut() {
    redraw();
    boxes_.clear();
    centres_.clear();
    if (graph_ == nullptr || graph_->hosts.empty()) {
        setMinimumHeight(kLeastNetwork);
        return;
    }
    const auto hosts = static_cast<int>(graph_->hosts.size());
    std::size_t most = 0;
    for (const GraphHost& host : graph_->hosts) {
        most = std::max(most, host.ranks.size());
    }
    const double least = most > 1 ? kLeastHost : kLeastOneRank;
    const double line = std::ceil(QFontMetricsF(font(kNetworkText)).height()) + 2;
    QSizeF best;
    int per_line = 1;
    for (int k = 1; k <= hosts; ++k) {
        const int lines = (hosts + k - 1) / k;
        const double room = (height() - (lines - 1) * kBetweenHosts - 1) / lines;
        const double w = (width() - (k - 1) * kBetweenHosts - 1) / k;
        const double h = std::clamp(room, least, kHighestHost);
        const QSizeF box(std::min(w, kFlatHost * h), h);
        const bool fits = w >= least && room >= least;
        if (fits && std::min(box.width(), box.height()) > std::min(best.width(), best.height())) {
            best = box;
            per_line = k;
        }
    }
    if (best.isEmpty()) {  // the width must fit
        best = {least, least};
        per_line = std::max(1, static_cast<int>((width() + kBetweenHosts) / (least + kBetweenHosts)));
    }
    title_ = best.height() >= kLeastTitled ? line : 0;
    radius_ = kLargestRank;
    centres_.resize(graph_->ranks.size());
    for (int host = 0; host < hosts; ++host) {
        const int of_line = host % per_line;
        const int above = host / per_line;  // lines of boxes
        boxes_.emplace_back(of_line * (best.width() + kBetweenHosts) + 0.5,
                            above * (best.height() + kBetweenHosts) + 0.5, best.width() - 1, best.height() - 1);
        placeRanks(graph_->hosts[static_cast<std::size_t>(host)], boxes_.back());
    }
    // The first pass has found the radius.
    for (std::size_t host = 0; host < boxes_.size(); ++host) {
        placeRanks(graph_->hosts[host], boxes_[host]);
    }
    const int lines = (hosts + per_line - 1) / per_line;
    const double needed = lines * (best.height() + kBetweenHosts) - kBetweenHosts;
    setMinimumHeight(std::max(kLeastNetwork, needed > height() ? static_cast<int>(std::ceil(needed)) : 0));
}

void NetworkMap::placeRanks(const GraphHost& host, const QRectF& box) {
    const QRectF inner = box.adjusted(0, title_, 0, 0);
    const double around = radius_ + std::min(10.0, inner.height() / 10) + 1;
    const double rx = std::max(0.0, inner.width() / 2 - around);
    const double ry = std::max(0.0, inner.height() / 2 - around);
    const std::size_t count = host.ranks.size();
    radius_ = std::min({radius_, inner.height() / 4, inner.width() / 4});
    for (std::size_t i = 0; i < count; ++i) {
        const double turn = count == 2 ? std::numbers::pi * (static_cast<double>(i) + 1)
                                       : 2 * std::numbers::pi * static_cast<double>(i) / static_cast<double>(count) -
                                             std::numbers::pi / 2;
        centres_[host.ranks[i]] =
            count == 1 ? inner.center() : inner.center() + QPointF(rx * std::cos(turn), ry * std::sin(turn));
    }
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t others = count <= kFewRanks ? count : i + 2;  // on a large circle neighbours are the nearest
        for (std::size_t j = i + 1; j < others; ++j) {
            const double apart = lengthOf(centres_[host.ranks[i]] - centres_[host.ranks[j % count]]);
            radius_ = std::clamp(kPartOfDistance * apart, kSmallestRank, std::max(kSmallestRank, radius_));
        }
    }
}

QSize NetworkMap::sizeHint() const {
    return {360, 200};
}

QRectF NetworkMap::placeOf(std::size_t rank) const {
    const QPointF& centre = centres_[rank];
    return {centre.x() - radius_, centre.y() - radius_, 2 * radius_, 2 * radius_};
}

std::optional<std::size_t> NetworkMap::cellAt(const QPointF& at) const {
    std::optional<std::size_t> nearest;
    double best = std::max(radius_, 5.0);
    for (std::size_t rank = 0; rank < centres_.size(); ++rank) {
        if (const double apart = lengthOf(centres_[rank] - at); apart <= best) {
            best = apart;
            nearest = rank;
        }
    }
    return nearest;
}

std::optional<std::size_t> NetworkMap::next(int key) const {
    if (key == Qt::Key_Home || !current()) {
        return 0;
    }
    if (key == Qt::Key_End) {
        return centres_.size() - 1;
    }
    const QPointF direction = key == Qt::Key_Left    ? QPointF(-1, 0)
                              : key == Qt::Key_Right ? QPointF(1, 0)
                              : key == Qt::Key_Up    ? QPointF(0, -1)
                                                     : QPointF(0, 1);
    std::optional<std::size_t> nearest;
    double best = 0;
    for (std::size_t rank = 0; rank < centres_.size(); ++rank) {
        const QPointF to = centres_[rank] - centres_[*current()];
        const double along = QPointF::dotProduct(to, direction);
        const double aside = lengthOf(to - direction * along);
        const double cost = along + 2 * aside;
        if (along > 0.5 && aside <= 2 * along && (!nearest || cost < best)) {
            best = cost;
            nearest = rank;
        }
    }
    return nearest;
}

std::optional<QPoint> NetworkMap::tipOfKeys(const std::size_t& cell) const {
    return placeOf(cell).bottomRight().toPoint();
}

// ---- painting

QPainterPath NetworkMap::lineOf(const GraphEdge& edge) const {
    const QPointF from = centres_[edge.from];
    const QPointF to = centres_[edge.to];
    const QPointF middle = bentAt(from, to);
    QPainterPath path(from + unit(middle - from) * (radius_ + 1));
    path.quadTo(middle, to + unit(middle - to) * (radius_ + kAroundRank));
    return path;
}

void NetworkMap::drawEdge(QPainter& painter, const GraphEdge& edge, double scale) const {
    QPen pen = transportPen(edge.kind, theme(), scale);
    pen.setWidthF(isTiny() ? scale : pen.widthF());  // a line of one pixel is drawn much faster
    painter.setPen(pen);
    if (isTiny()) {
        painter.drawLine(centres_[edge.from], centres_[edge.to]);
        return;
    }
    painter.setBrush(Qt::NoBrush);
    painter.drawPath(lineOf(edge));
    const QPointF to = centres_[edge.to];
    const QPointF back = unit(bentAt(centres_[edge.from], to) - to);
    const QPointF tip = to + back * (radius_ + 1);
    const QPointF aside(-back.y(), back.x());
    const double size = std::min(kArrow, radius_) * std::max(1.0, scale * 0.8);
    painter.setPen(Qt::NoPen);
    painter.setBrush(pen.color());
    painter.drawPolygon(QPolygonF({tip, tip + (back + aside * 0.5) * size, tip + (back - aside * 0.5) * size}));
}

void NetworkMap::drawRank(QPainter& painter, std::size_t rank, bool is_marked) const {
    const bool is_logged = graph_->ranks[rank].is_logged;
    QPen rim(is_marked ? theme().accent : is_logged ? theme().text : theme().text_dim, is_marked ? 2 : 1);
    if (!is_logged) {
        rim.setStyle(Qt::DotLine);
    }
    painter.setPen(rim);
    painter.setBrush(is_logged ? theme().raised : theme().surface);
    painter.drawEllipse(placeOf(rank));
    if (radius_ >= kLeastWritten) {
        QFont written = font(kNetworkText);
        const QString number = QString::number(graph_->ranks[rank].rank);
        const double wide = QFontMetricsF(written).horizontalAdvance(number);
        if (wide > 1.7 * radius_) {
            written.setPixelSize(std::max(6, static_cast<int>(written.pixelSize() * 1.7 * radius_ / wide)));
        }
        painter.setFont(written);
        painter.setPen(is_logged ? theme().text : theme().text_dim);
        painter.drawText(placeOf(rank), Qt::AlignCenter, number);
    }
}

void NetworkMap::drawBoxes(QPainter& painter) const {
    const QFont name_font = font(kNetworkText);
    painter.setFont(name_font);
    const QFontMetricsF metrics(name_font);
    for (std::size_t host = 0; host < boxes_.size(); ++host) {
        const QString& name = graph_->hosts[host].name;
        painter.setPen(QPen(theme().border, 1, name.isEmpty() ? Qt::DashLine : Qt::SolidLine));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(boxes_[host], 5, 5);
        if (title_ > 0) {
            const QRectF line(boxes_[host].left() + 8, boxes_[host].top() + 3, boxes_[host].width() - 16, title_);
            painter.setPen(theme().text_dim);
            painter.drawText(
                line, Qt::AlignLeft | Qt::AlignVCenter,
                metrics.elidedText(name.isEmpty() ? tr("without a log") : name, Qt::ElideRight, line.width()));
        }
    }
}

bool NetworkMap::isTiny() const {
    return radius_ < kLeastArrow;
}

void NetworkMap::drawTiny(QPainter& painter) const {
    painter.setPen(theme().border);
    painter.setBrush(Qt::NoBrush);
    painter.drawRects(QList<QRectF>(boxes_.begin(), boxes_.end()));
    std::map<network::PathKind, QList<QLineF>> inside;
    for (const GraphEdge& edge : edges()) {
        if (host_of_[edge.from] == host_of_[edge.to]) {
            inside[edge.kind].emplace_back(centres_[edge.from], centres_[edge.to]);
        }
    }
    for (const auto& [kind, lines] : inside) {
        QPen pen = transportPen(kind, theme());
        pen.setWidthF(1);
        painter.setPen(pen);
        painter.drawLines(lines);
    }
    for (std::size_t rank = 0; rank < centres_.size(); ++rank) {
        QRectF place(QPointF(), placeOf(rank).size() * kTinyPart);
        place.moveCenter(centres_[rank]);
        painter.fillRect(place, graph_->ranks[rank].is_logged ? theme().text : theme().text_dim);
    }
    painter.setRenderHint(QPainter::Antialiasing);
    for (const GraphEdge& edge : edges()) {
        if (host_of_[edge.from] != host_of_[edge.to]) {
            drawEdge(painter, edge, 1);
        }
    }
}

void NetworkMap::draw(QPainter& painter) const {
    if (isTiny()) {
        return drawTiny(painter);
    }
    painter.setRenderHint(QPainter::Antialiasing);
    drawBoxes(painter);
    for (const GraphEdge& edge : edges()) {
        drawEdge(painter, edge, 1);
    }
    for (std::size_t rank = 0; rank < centres_.size(); ++rank) {
        drawRank(painter, rank, false);
    }
}

void NetworkMap::drawOver(QPainter& painter) const {
    if (hasFocus() && !current()) {
        painter.setPen(theme().accent);
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(rect().adjusted(0, 0, -1, -1));
    }
    const std::optional<std::size_t> marked = pointed() ? pointed() : hasFocus() ? current() : std::nullopt;
    if (!marked || *marked >= centres_.size()) {
        return;
    }
    painter.setRenderHint(QPainter::Antialiasing);
    for (const GraphEdge& edge : edges()) {
        if (edge.from == *marked || edge.to == *marked) {
            drawEdge(painter, edge, 2);
        }
    }
    drawRank(painter, *marked, true);
}

// ---- texts

QString NetworkMap::nameOf(std::size_t rank) const {
    const QString& host = graph_->hosts[host_of_[rank]].name;
    const std::int32_t number = graph_->ranks[rank].rank;
    return host.isEmpty() ? tr("rank %1").arg(number) : tr("rank %1 on %2").arg(number).arg(host);
}

QStringList NetworkMap::edgeLines(std::size_t rank) const {
    QStringList lines;
    qsizetype more = 0;
    for (const GraphEdge& edge : edges()) {
        if (edge.from != rank && edge.to != rank) {
            continue;
        }
        if (lines.size() == kMostEdgesTold) {
            ++more;
            continue;
        }
        const QString path = edge.path.isEmpty() ? transportTitle(network::PathKind::Other) : edge.path;
        const std::size_t other = edge.from == rank ? edge.to : edge.from;
        const std::int32_t number = graph_->ranks[other].rank;
        lines << (edge.from == rank ? tr("to rank %1: %2") : tr("from rank %1: %2")).arg(number).arg(path);
    }
    if (more > 0) {
        lines << plural(tr("and %n more connection(s)", nullptr, static_cast<int>(more)),
                        static_cast<std::uint64_t>(more));
    }
    return lines;
}

QString NetworkMap::tipOf(const std::size_t& cell) const {
    return (QStringList(nameOf(cell)) + graph_->ranks[cell].about + edgeLines(cell)).join(QLatin1Char('\n'));
}

QString NetworkMap::spokenContent() const {
    if (graph_ == nullptr) {
        return {};
    }
    const QString shape = shape_ < graph_->shapes.size() ? graph_->shapes[shape_].title : tr("no connections");
    const QString all = tr("%1: %2.").arg(graph_->title, shape);
    return current() && *current() < centres_.size() ? tipOf(*current()) + QLatin1Char('\n') + all : all;
}

std::size_t NetworkMap::spokenParts() const {
    return centres_.size();
}

SpokenPart NetworkMap::spokenPart(std::size_t index) const {
    return {nameOf(index),           edgeLines(index).join(QStringLiteral(", ")),
            placeOf(index).toRect(), QAccessible::ListItem,
            current() == index,      std::nullopt};
}

}  // namespace rankscope::ui
