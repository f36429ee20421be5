// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/communication/grid_map.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/format.h"
#include "ui/panels/shared/heat_legend.h"
#include "ui/panels/shared/words.h"
#include "ui/theme/core_text.h"
#include "ui/theme/role_words.h"
#include "ui/theme/slice_colors.h"
#include "ui/timeline/frame/label_text.h"
#include "ui/timeline/paint/overview_picture.h"

namespace rankscope::ui {
namespace {

constexpr double kWidestCell = 116;  // logical pixels of a cell
constexpr double kHighestCell = 40;
constexpr double kLeastWidth = 6;
constexpr double kLeastHeight = 5;
constexpr double kOutOfSight = 1e6;  // worse than any height
constexpr double kAroundPlaces = 4;
constexpr double kBelowPlaces = 2;     // filled cells use the space below the letters
constexpr double kWidestPlaces = 3.0;  // beside the rows: a part of the width
constexpr double kFlatCell = 2.2;      // ratio of width to height of a cell that is easy to read
constexpr int kLeastMap = 24;          // pixels of height, even if there is nothing to show
constexpr int kCellText = 11;
constexpr int kPlacesPixels = 10;
constexpr double kBetweenBlocks = 12;
constexpr double kLeastNamed = 13;  // width of a column that shows its place above it
constexpr int kMostGroupsTold = 6;  // in a tooltip
constexpr double kBesideWords = 2;
constexpr int kRoundedDigits = 2;

/// A value with two digits, or all digits before its point: "213.2 ms" becomes "213 ms", "3.11 ms" becomes "3.1 ms".
QString roundedText(const QString& value) {
    const qsizetype unit = value.indexOf(QLatin1Char(' '));
    const qsizetype point = value.indexOf(QLatin1Char('.'));
    bool is_number = false;
    const double number = value.left(unit).toDouble(&is_number);
    if (!is_number || point < 0) {
        return value;
    }
    const int decimals = std::max(0, kRoundedDigits - static_cast<int>(point));
    return QString::number(number, 'f', decimals) + (unit < 0 ? QString() : value.mid(unit));
}

/// The exposed time of a rank in a step by role: "data 0.5 ms, tensor 1.5 ms"; empty if it has none.
QString rolesText(const ParallelismFacts& facts, RankPosition rank) {
    if (rank >= facts.ranks.size() || facts.ranks[rank].counted == 0) {
        return {};
    }
    const RankRoles& roles = facts.ranks[rank];
    QStringList parts;
    for (std::size_t r = 0; r <= kRoleCount; ++r) {
        const std::optional<Role> role = r < kRoleCount ? std::optional(static_cast<Role>(r)) : std::nullopt;
        if (const DurationNs ns = roles.exposed[role]; ns > 0) {
            parts << namedTime(roleTitle(role), ns / static_cast<DurationNs>(roles.counted));
        }
    }
    return parts.join(QStringLiteral(", "));
}

/// The groups of a rank, which determine its place.
QStringList groupLines(const AnalysedRun& run, RankPosition rank) {
    QStringList lines;
    const auto& number = run.run->ranks[rank]->rank;
    for (const GroupRole& group : run.facts.parallelism.groups) {
        if (number && group.role && lines.size() < kMostGroupsTold &&
            std::ranges::binary_search(group.ranks, *number)) {
            lines << GridMap::tr("In the group %1: %2, %3")
                         .arg(text(group.label()), roleTitle(group.role), confidenceText(group.confidence));
        }
    }
    return lines;
}

/// Whether a rank is in a pipeline not all of whose ranks were recorded.
bool isInPartOfPipeline(const RunFacts& facts, RankPosition rank) {
    return std::ranges::any_of(facts.pipeline.pipelines, [rank](const Pipeline& each) {
        return !each.whole() && std::ranges::find(each.ranks, rank) != each.ranks.end();
    });
}

void outline(QPainter& painter, const QRectF& place, const QColor& colour, double width) {
    painter.setPen(QPen(colour, width));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(place.adjusted(width / 2 - 1, width / 2 - 1, 1 - width / 2, 1 - width / 2));
}

QString blockTitle(const GridBlock& block) {
    if (block.place_unknown) {
        return GridMap::tr("place unknown");
    }
    QStringList words;
    for (const auto& [role, place] : block.places) {
        words << placeTitle(role, place);
    }
    if (block.copy > 0) {
        words << GridMap::tr("unknown: %1", "which of several ranks with the same place").arg(block.copy);
    }
    return words.join(QStringLiteral(", "));
}

/// The height of a line of places above cells.
double lineOfPlaces(const QFontMetricsF& metrics) {
    return std::ceil(metrics.height()) + kBelowPlaces;
}

}  // namespace

QString measureText(RankMeasure measure, std::int64_t value) {
    return measure == RankMeasure::Memory
               ? text(formatBytes(static_cast<std::uint64_t>(std::max<std::int64_t>(0, value))))
               : duration(value);
}

QString measureTitle(RankMeasure measure, std::optional<Role> role) {
    const QString title = coreText(rankMeasureTitle(measure));
    return role ? GridMap::tr("%1: %2", "a measure, a role").arg(title, roleTitle(role)) : title;
}

GridMap::GridMap(const Theme& theme, QWidget* parent) : PaintedCells(theme, parent) {
    setAccessibleName(tr("Grid map"));
    setMinimumHeight(kLeastMap);
}

void GridMap::setPicture(std::shared_ptr<const GridPicture> picture) {
    const bool other = picture_ == nullptr || picture == nullptr || picture->of->run != picture_->of->run ||
                       picture->cells.axes != picture_->cells.axes;
    picture_ = std::move(picture);
    if (other) {
        forgetCurrent();
    }
    layOut();
    tellContentChanged(*this);
}

void GridMap::setSelected(std::optional<RankPosition> rank) {
    if (std::exchange(selected_, rank) != rank) {
        update();
    }
}

void GridMap::setMembers(std::vector<RankPosition> ranks) {
    members_ = std::move(ranks);
    update();
}

// ---- layout

// Puts as many blocks in a row as make the cells largest; if they do not fit, the map grows and is scrolled.
void GridMap::layOut() {
    redraw();
    block_places_.clear();
    if (picture_ == nullptr || picture_->cells.cells.empty()) {
        setMinimumHeight(kLeastMap);
        return;
    }
    const GridCells& cells = picture_->cells;
    const auto blocks = static_cast<int>(cells.blocks.size());
    const QFontMetricsF metrics(font(kPlacesPixels));
    double widest = 0;  // widest of the places beside the rows
    for (int row = 0; row < cells.rows && cells.rows > 1 && !cells.wrapped; ++row) {
        widest = std::max(widest, metrics.horizontalAdvance(rowTitle(row)));
    }
    const double left = widest > 0 ? std::min(std::ceil(widest), width() / kWidestPlaces) + kAroundPlaces : 0;
    const double title = blocks > 1 ? lineOfPlaces(metrics) : 0;
    std::optional<double> best;
    for (int k = 1; k <= blocks; ++k) {
        const int lines = (blocks + k - 1) / k;
        const double w = (width() - left - (k - 1) * kBetweenBlocks - 1) / (k * cells.columns);
        const double places = cells.wrapped || w < kLeastNamed ? 0 : lineOfPlaces(metrics);
        const double around = places + lines * title + (lines - 1) * kBetweenBlocks / 2;
        const double h = (height() - around - 1) / (lines * cells.rows);
        const QSizeF size(std::clamp(w, kLeastWidth, kWidestCell), std::clamp(h, kLeastHeight, kHighestCell));
        const bool fits = w >= kLeastWidth && h >= kLeastHeight;
        // If nothing fits, the width must fit, and a lower map is better.
        const double score = fits               ? std::min(size.width(), kFlatCell * size.height())
                             : w >= kLeastWidth ? -(around + lines * cells.rows * kLeastHeight)
                                                : -kOutOfSight * k;
        if (!best || score >= *best) {  // if scores are equal, the lower map
            best = score;
            per_line_ = k;
            cell_ = size;
            places_ = places;
        }
    }
    const double block_width = cells.columns * cell_.width() + kBetweenBlocks;
    const double block_height = title + cells.rows * cell_.height() + kBetweenBlocks / 2;
    for (int b = 0; b < blocks; ++b) {
        const int of_line = b % per_line_;
        const int above = b / per_line_;  // lines of blocks
        block_places_.emplace_back(left + of_line * block_width, places_ + title + above * block_height);
    }
    const int lines = (blocks + per_line_ - 1) / per_line_;
    setMinimumHeight(static_cast<int>(std::ceil(places_ + lines * block_height - kBetweenBlocks / 2)) + 1);
    values_ = valuesWithRoom();
}

QSize GridMap::sizeHint() const {
    return {400, 160};
}

QRectF GridMap::placeOf(std::size_t cell) const {
    const GridCell& of = picture_->cells.cells[cell];
    const QPointF corner = block_places_[static_cast<std::size_t>(of.block)];
    const double gap = cell_.height() >= 14 ? 2 : 1;
    return {corner.x() + of.column * cell_.width(), corner.y() + of.row * cell_.height(), cell_.width() - gap,
            cell_.height() - gap};
}

std::optional<std::size_t> GridMap::cellAt(const QPointF& at) const {
    for (std::size_t i = 0; picture_ != nullptr && i < picture_->cells.cells.size(); ++i) {
        if (placeOf(i).contains(at)) {
            return i;
        }
    }
    return std::nullopt;
}

std::optional<std::size_t> GridMap::cellOf(RankPosition rank) const {
    if (picture_ == nullptr) {
        return std::nullopt;
    }
    const auto& cells = picture_->cells.cells;
    const auto at = std::ranges::find(cells, std::optional(rank), &GridCell::rank);
    return at != cells.end() ? std::optional(static_cast<std::size_t>(at - cells.begin())) : std::nullopt;
}

// ---- painting

void GridMap::draw(QPainter& painter) const {
    drawTitles(painter);
    painter.setFont(font(kCellText));
    for (std::size_t cell = 0; cell < picture_->cells.cells.size(); ++cell) {
        drawCell(painter, cell);
    }
}

void GridMap::drawOver(QPainter& painter) const {
    if (hasFocus() && !current()) {
        outline(painter, QRectF(rect()).adjusted(1, 1, -1, -1), theme().accent, 1);
    }
    for (const RankPosition rank : members_) {
        if (const auto cell = cellOf(rank)) {
            outline(painter, placeOf(*cell), theme().text, 1);
        }
    }
    if (const auto cell = selected_ ? cellOf(*selected_) : std::nullopt) {
        outline(painter, placeOf(*cell), theme().accent, 2);
    }
    if (current() && hasFocus()) {
        outline(painter, placeOf(*current()), theme().text, 2);
    }
}

void GridMap::drawCell(QPainter& painter, std::size_t cell) const {
    const QRectF place = placeOf(cell);
    const GridCell& of = picture_->cells.cells[cell];
    if (!of.rank) {
        paintMissing(painter, place.adjusted(0.5, 0.5, -0.5, -0.5), theme());
    } else if (const auto heat = picture_->shown.heat(*of.rank)) {
        painter.fillRect(place, QColor::fromRgb(heatColor(std::clamp(*heat, 0.0, 1.0), theme())));
        if (*heat >= kStripedHeat) {
            paintStripes(painter, place, theme());
        }
    } else {
        painter.fillRect(place, theme().raised);
    }
    drawWords(painter, place, cell);
}

QString GridMap::valueText(RankPosition rank, bool rounded) const {
    const auto& value = picture_->shown.of[rank];
    const QString whole = value ? measureText(picture_->measure, *value) : QStringLiteral("\u2013");
    return rounded ? roundedText(whole) : whole;
}

GridMap::Values GridMap::valuesWithRoom() const {
    const QFontMetricsF metrics(font(kCellText));
    if (2 * metrics.height() > cell_.height()) {
        return Values::None;
    }
    const auto fit = [&](bool rounded) {
        return std::ranges::all_of(picture_->cells.cells, [&](const GridCell& cell) {
            return !cell.rank ||
                   metrics.horizontalAdvance(valueText(*cell.rank, rounded)) <= cell_.width() - 2 * kBesideWords;
        });
    };
    return fit(false) ? Values::Whole : fit(true) ? Values::Rounded : Values::None;
}

double GridMap::widestNumber(const QFontMetricsF& metrics) const {
    std::int64_t largest = 0;
    for (const GridCell& cell : picture_->cells.cells) {
        const auto& number = cell.rank ? picture_->of->run->ranks[*cell.rank]->rank : cell.number;
        largest = number ? std::max<std::int64_t>(largest, number->value) : largest;
    }
    return metrics.horizontalAdvance(QString(QString::number(largest).size(), QLatin1Char('0')));
}

QStringList GridMap::wordsIn(std::size_t cell) const {
    const GridCell& of = picture_->cells.cells[cell];
    QStringList lines;
    if (of.rank) {
        const auto& number = picture_->of->run->ranks[*of.rank]->rank;
        lines << (number ? QString::number(number->value) : rankName(*picture_->of->run, *of.rank));
        if (values_ != Values::None) {
            lines << valueText(*of.rank, values_ == Values::Rounded);
        }
    } else {
        lines << (of.number ? QString::number(of.number->value) : QString());
    }
    const QFontMetricsF metrics(font(kCellText));
    const QRectF place = placeOf(cell).adjusted(kBesideWords, 0, -kBesideWords, 0);
    if (metrics.height() > place.height() + 2 ||
        std::max(metrics.horizontalAdvance(lines[0]), widestNumber(metrics)) > place.width()) {
        return {};
    }
    return lines;
}

void GridMap::drawWords(QPainter& painter, const QRectF& place, std::size_t cell) const {
    const QStringList lines = wordsIn(cell);
    if (lines.isEmpty()) {
        return;
    }
    const auto& rank = picture_->cells.cells[cell].rank;
    const auto heat = rank ? picture_->shown.heat(*rank) : std::nullopt;
    QColor ink = theme().text_dim;
    if (heat) {
        const QRgb fill = heatColor(std::clamp(*heat, 0.0, 1.0), theme());
        ink = QColor::fromRgb(SliceColors::textOn(fill));
        if (*heat >= kStripedHeat) {  // text on stripes is hard to read
            const QFontMetricsF metrics(painter.font());
            double widest = 0;
            for (const QString& line : lines) {
                widest = std::max(widest, metrics.horizontalAdvance(line));
            }
            QRectF behind(0, 0, std::min(place.width(), widest + 4),
                          std::min(place.height(), metrics.height() * static_cast<double>(lines.size())));
            behind.moveCenter(place.center());
            painter.fillRect(behind, QColor::fromRgb(fill));
        }
    }
    painter.setPen(ink);
    // The free line between two cells takes the descenders.
    painter.drawText(place.adjusted(0, -1, 0, 1), Qt::AlignCenter, lines.join(QLatin1Char('\n')));
}

QString GridMap::rowTitle(int row) const {
    const auto& down = picture_->cells.axes.down;
    return down ? placeTitle(picture_->of->facts.parallelism.grid.dimensions[*down].role, row)
                : QString::number(row + 1);
}

// What a block has in common, the places above its columns in the first line of blocks, and the places beside its rows.
void GridMap::drawTitles(QPainter& painter) const {
    const GridCells& cells = picture_->cells;
    painter.setFont(font(kPlacesPixels));
    for (std::size_t b = 0; b < cells.blocks.size(); ++b) {
        const int block = static_cast<int>(b);
        if (cells.blocks.size() > 1) {
            const QFontMetricsF metrics(painter.font());
            const double width = cells.columns * cell_.width();
            const double line = lineOfPlaces(metrics);
            const double up = line + (block < per_line_ ? places_ : 0);
            painter.setPen(theme().text);
            painter.drawText(QRectF(block_places_[b].x(), block_places_[b].y() - up, width, line), Qt::AlignLeft,
                             metrics.elidedText(blockTitle(cells.blocks[b]), Qt::ElideRight, width));
        }
        painter.setPen(theme().text_dim);
        const bool placed = !cells.wrapped && !cells.blocks[b].place_unknown && cells.axes.across;
        if (placed && block < per_line_ && places_ > 0) {
            drawColumns(painter, block_places_[b]);
        }
        if (placed && block % per_line_ == 0 && cells.rows > 1) {
            drawRows(painter, block_places_[b]);
        }
    }
}

void GridMap::drawColumns(QPainter& painter, const QPointF& corner) const {
    const GridCells& cells = picture_->cells;
    const QFontMetricsF metrics(painter.font());
    const Role across = picture_->of->facts.parallelism.grid.dimensions[*cells.axes.across].role;
    const bool named = metrics.horizontalAdvance(placeTitle(across, cells.columns - 1)) + 8 <= cell_.width();
    const double line = lineOfPlaces(metrics);
    for (int column = 0; column < cells.columns; ++column) {
        const QRectF above(corner.x() + column * cell_.width(), corner.y() - line, cell_.width(), line);
        painter.drawText(above, Qt::AlignHCenter, named ? placeTitle(across, column) : QString::number(column));
    }
}

void GridMap::drawRows(QPainter& painter, const QPointF& corner) const {
    const GridCells& cells = picture_->cells;
    const QFontMetricsF metrics(painter.font());
    const double line = metrics.height();
    for (int row = 0; row < cells.rows && cell_.height() + 2 >= line; ++row) {
        const QRectF beside(0, corner.y() + row * cell_.height(), corner.x() - kAroundPlaces, cell_.height());
        painter.drawText(beside, Qt::AlignRight | Qt::AlignVCenter,
                         metrics.elidedText(rowTitle(row), Qt::ElideRight, beside.width()));
    }
}

// ---- texts

QString GridMap::nameOf(std::size_t cell) const {
    const GridCell& of = picture_->cells.cells[cell];
    if (of.rank) {
        return rankInPlace(*picture_->of, *of.rank);
    }
    return of.number ? tr("rank %1: no trace file").arg(of.number->value) : tr("A rank without a trace file");
}

QString GridMap::tipOf(const std::size_t& cell) const {
    const GridCell& of = picture_->cells.cells[cell];
    QStringList lines{nameOf(cell)};
    if (!of.rank) {
        return lines.first();
    }
    for (std::size_t m = 0; m < kRankMeasureCount; ++m) {
        const auto measure = static_cast<RankMeasure>(m);
        const RankValues& values = picture_->values.at(m);
        if (const auto& value = values.of[*of.rank]) {
            const QString shown = measureText(measure, *value);
            const bool least = measure == RankMeasure::Bubble && isInPartOfPipeline(picture_->of->facts, *of.rank);
            lines << tr("%1: %2 (median of ranks %3)")
                         .arg(measureTitle(measure, {}), least ? tr("at least %1").arg(shown) : shown,
                              measureText(measure, *values.median));
        }
    }
    if (const QString roles = rolesText(picture_->of->facts.parallelism, *of.rank); !roles.isEmpty()) {
        lines << tr("Exposed by role: %1").arg(roles);
    }
    return (lines + groupLines(*picture_->of, *of.rank)).join(QLatin1Char('\n'));
}

QString GridMap::spokenContent() const {
    if (picture_ == nullptr || picture_->cells.cells.empty()) {
        return tr("The grid is unknown.");
    }
    if (current()) {
        return tipOf(*current());
    }
    const auto& cells = picture_->cells.cells;
    const std::size_t missing = picture_->cells.missing();
    const std::size_t ranks = cells.size() - missing;
    QString words =
        plural(tr("%1 of %n rank(s), from %2 to %3.", nullptr, static_cast<int>(ranks)), ranks)
            .arg(measureTitle(picture_->measure, picture_->role), measureText(picture_->measure, picture_->shown.from),
                 measureText(picture_->measure, picture_->shown.to));
    if (missing > 0) {
        words += QLatin1Char(' ') + plural(tr("No file for %n rank(s).", nullptr, static_cast<int>(missing)), missing);
    }
    return words;
}

std::size_t GridMap::spokenParts() const {
    return empty() ? 0 : picture_->cells.cells.size();
}

SpokenPart GridMap::spokenPart(std::size_t index) const {
    const QStringList lines = tipOf(index).split(QLatin1Char('\n'));
    SpokenPart part;
    part.name = lines.first();
    part.about = lines.mid(1).join(QStringLiteral("; "));
    part.place = placeOf(index).toAlignedRect();
    const auto& rank = picture_->cells.cells[index].rank;
    part.chosen = current() ? current() == index : rank && rank == selected_;
    return part;
}

// ---- pointer and keys

bool GridMap::leads(const std::size_t& cell) const {
    return picture_->cells.cells[cell].rank.has_value();
}

QRect GridMap::tipPlace(const QPointF& at) const {
    const auto cell = cellAt(at);
    return cell ? placeOf(*cell).toAlignedRect() : QRect();
}

void GridMap::activate(const std::size_t& cell) {
    if (const auto& rank = picture_->cells.cells[cell].rank) {
        Q_EMIT rankActivated(*rank);
    }
}

std::size_t GridMap::nextCell(std::size_t from, int key) const {
    const QPointF start = placeOf(from).center();
    const bool flat = key == Qt::Key_Left || key == Qt::Key_Right;
    const double sign = key == Qt::Key_Left || key == Qt::Key_Up ? -1 : 1;
    constexpr double kAside = 4;  // how much worse a sideways offset is than a distance ahead
    std::size_t best = from;
    double least = 0;
    for (std::size_t i = 0; i < picture_->cells.cells.size(); ++i) {
        const QPointF way = placeOf(i).center() - start;
        const double ahead = sign * (flat ? way.x() : way.y());
        const double cost = ahead + kAside * std::abs(flat ? way.y() : way.x());
        if (ahead > 1 && (best == from || cost < least)) {
            best = i;
            least = cost;
        }
    }
    return best;
}

std::optional<std::size_t> GridMap::next(int key) const {
    if (key == Qt::Key_Home) {
        return 0;
    }
    if (key == Qt::Key_End) {
        return picture_->cells.cells.size() - 1;
    }
    const auto selected = selected_ ? cellOf(*selected_) : std::nullopt;
    return current() ? nextCell(*current(), key) : selected.value_or(0);
}

}  // namespace rankscope::ui
