// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/shared/words.h"

#include <QObject>
#include <QRegularExpression>
#include <QStringList>
#include <algorithm>
#include <utility>

#include "core/base/format.h"
#include "core/base/number_spans.h"
#include "core/report/tables/data_table.h"
#include "ui/theme/core_text.h"
#include "ui/theme/role_words.h"
#include "ui/timeline/frame/label_text.h"

namespace rankscope::ui {
namespace {

const QString kScheme = QStringLiteral("slice:");

/// Same as formatNumberList(), so that a list reads the same in texts of core and of the window.
QString spanName(std::int64_t first, std::int64_t last) {
    return first == last       ? QString::number(first)
           : last == first + 1 ? QStringLiteral("%1, %2").arg(first).arg(last)
                               : QObject::tr("%1 to %2", "numbers, from the first to the last").arg(first).arg(last);
}

}  // namespace

QString text(std::string_view utf8) {
    return QString::fromUtf8(utf8.data(), static_cast<qsizetype>(utf8.size()));
}

QString duration(DurationNs ns) {
    return text(formatDuration(ns));
}

QString count(std::uint64_t number) {
    return text(formatCount(number));
}

QString namedTime(const QString& name, DurationNs ns) {
    return QObject::tr("%1 %2", "a part of a step, its length").arg(name, duration(ns));
}

QString confidenceText(Confidence confidence) {
    switch (confidence) {
        case Confidence::Low: return QObject::tr("low confidence");
        case Confidence::Medium: return QObject::tr("medium confidence");
        case Confidence::High: return QObject::tr("high confidence");
    }
    return {};
}

QString rankName(const Run& run, RankPosition rank) {
    if (rank >= run.ranks.size()) {
        return QObject::tr("rank ?");
    }
    return coreText(rankLabel(*run.ranks[rank], rank));
}

QString rankInPlace(const AnalysedRun& run, RankPosition rank) {
    const QString place = placeTitle(run.facts.parallelism.grid, rank);
    const QString name = rankName(*run.run, rank);
    return place.isEmpty() ? name : name + QStringLiteral(" \u00b7 ") + place;
}

QString numbersText(std::vector<std::int64_t> numbers) {
    const NumberSpans all = spansOf(std::move(numbers));
    QStringList spans;
    for (const NumberSpan& span : all.named()) {
        spans.append(spanName(span.first, span.last));
    }
    const QString listed = spans.join(QStringLiteral(", "));
    return all.many() ? QObject::tr("%1 … %2 (%3 in all)", "numbers: the first, the last, how many")
                            .arg(listed, spanName(all.spans.back().first, all.spans.back().last), count(all.numbers))
                      : listed;
}

QString ranksName(const Run& run, const std::vector<RankPosition>& ranks) {
    if (ranks.empty()) {
        return {};
    }
    if (ranks.size() == 1) {
        return rankName(run, ranks.front());
    }
    if (ranks.size() == run.ranks.size()) {
        return plural(QObject::tr("all %n ranks", nullptr, static_cast<int>(ranks.size())), ranks.size());
    }
    std::vector<std::int64_t> numbers;
    QStringList nameless;
    for (const RankPosition rank : ranks) {
        if (rank < run.ranks.size() && run.ranks[rank]->rank) {
            numbers.push_back(run.ranks[rank]->rank->value);
        } else {
            nameless.append(rankName(run, rank));
        }
    }
    const QString listed = numbersText(numbers);
    const QStringList all = numbers.empty()       ? QStringList()
                            : numbers.size() == 1 ? QStringList(QObject::tr("rank %1").arg(listed))
                                                  : QStringList(QObject::tr("ranks %1").arg(listed));
    return (all + nameless).join(QStringLiteral(", "));
}

QString baseText(const AnalysedRun& run) {
    const std::size_t all = run.facts.verdict.coverage.steps;
    const std::size_t priced = run.diagnosis.prices.steps;
    if (all == 0 || priced == 0 || priced == all || run.facts.efficiency.no_flops == NoFlops::NoDevice) {
        return {};
    }
    const QString words = QObject::tr("%1 of %n step(s) priced", "a median step", static_cast<int>(all));
    return plural(words, all).arg(count(priced));
}

const RankStep* findStep(const AnalysedRun& run, RankPosition rank, std::int64_t index) {
    if (rank >= run.facts.ranks.size()) {
        return nullptr;
    }
    const auto& steps = run.facts.ranks[rank].steps;
    const auto at = std::ranges::find(steps, index, &RankStep::index);
    return at == steps.end() ? nullptr : &*at;
}

bool exists(const AnalysedRun& run, RankPosition rank, SliceRef slice) {
    if (!slice.valid() || rank >= run.run->ranks.size()) {
        return false;
    }
    const auto& tracks = run.run->ranks[rank]->tracks;
    return slice.track.value < tracks.size() && slice.slice < tracks[slice.track.value].slices.size();
}

QString sliceLink(const SliceSelection& slice) {
    return kScheme + QStringLiteral("%1.%2.%3.%4")
                         .arg(slice.run)
                         .arg(slice.rank)
                         .arg(slice.slice.track.value)
                         .arg(slice.slice.slice);
}

std::optional<SliceSelection> sliceOfLink(const QString& link) {
    if (!link.startsWith(kScheme)) {
        return std::nullopt;
    }
    const QStringList parts = link.mid(kScheme.size()).split(QLatin1Char('.'));
    if (parts.size() != 4) {
        return std::nullopt;
    }
    std::array<std::uint32_t, 4> numbers{};
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        bool ok = false;
        numbers.at(i) = parts.at(static_cast<qsizetype>(i)).toUInt(&ok);
        if (!ok) {
            return std::nullopt;
        }
    }
    return SliceSelection{numbers[0], RankPosition(numbers[1]), {TrackId(numbers[2]), numbers[3]}};
}

QString nameInLine(std::string_view name, int longest) {
    const QString words = text(withoutParameters(name)).simplified();
    return words.size() > longest ? words.left(longest - 1) + QStringLiteral("…") : words;
}

QString sliceAnchor(const AnalysedRun& run, const SliceSelection& slice, int longest) {
    if (!exists(run, slice.rank, slice.slice)) {
        return QObject::tr("not in the trace");
    }
    const QString name = nameInLine(run.run->ranks[slice.rank]->name(slice.slice), longest);
    return QStringLiteral("<a href=\"%1\">%2</a>").arg(sliceLink(slice), name.toHtmlEscaped());
}

QString dim(const QString& html, const Theme& theme) {
    return QStringLiteral("<span style=\"color:%1\">%2</span>").arg(theme.text_dim.name(), html);
}

QString labelLink(const QString& to, const QString& words, const Theme& theme) {
    return QStringLiteral("<a style=\"color:%1; text-decoration:none\" href=\"%2\">%3</a>")
        .arg(theme.accent.name(), to, words.toHtmlEscaped());
}

QString percent(double share) {
    return unbroken(text(report::precisePercent(share)));
}

QString unbroken(QString number) {
    return number.replace(QLatin1Char(' '), QChar::Nbsp);
}

QString withMinus(QString number) {
    const bool below = number.size() > 1 && number.startsWith(QLatin1Char('-')) && number.at(1).isDigit();
    return below ? number.replace(0, 1, QChar(0x2212)) : number;
}

QString printed(QString words) {
    static const QRegularExpression hyphen(QStringLiteral("(^|[ (])-(?=\\d)"));
    static const QRegularExpression before_unit(QStringLiteral("(\\d) (?=(?:ns|µs|ms|s|%)(?![A-Za-z]))"));
    return words.replace(hyphen, QStringLiteral("\\1\u2212")).replace(before_unit, QStringLiteral("\\1\u00a0"));
}

QString documentStyle(const Theme& theme) {
    return QStringLiteral(
               "body { color: %1; } a { color: %2; text-decoration: none; } "
               "h3 { font-size: %4pt; font-weight: 600; margin: 0 0 4px 0; } "
               "h4 { font-size: %5pt; font-weight: 600; color: %3; margin: 16px 0 4px 0; } "
               "p { margin: 0 0 8px 0; } td { padding: 2px 12px 2px 0; }")
        .arg(theme.text.name(), theme.accent.name(), theme.text_dim.name())
        .arg(theme.ui_font.pointSizeF() * 1.2)
        .arg(theme.ui_font.pointSizeF());
}

}  // namespace rankscope::ui
