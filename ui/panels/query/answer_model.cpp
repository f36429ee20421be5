// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/query/answer_model.h"

#include <QLocale>
#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/format.h"
#include "ui/panels/shared/words.h"
#include "ui/theme/plain_text.h"

namespace rankscope::ui {
namespace {

using Kind = tables::Value::Kind;

bool isNumber(const AnswerColumn& column) {
    return column.has_number && !column.has_text;
}

/// Whether its numbers are names of things, which have no groups of digits.
bool isName(const AnswerColumn& column) {
    return column.key != ColumnKey::None || column.title == "id" || column.title.ends_with("_id") ||
           column.meaning.find(".id") != std::string::npos;
}

QString wholeText(std::int64_t number, bool grouped) {
    if (!grouped) {
        return withMinus(QString::number(number));
    }
    const auto size = number < 0 ? ~static_cast<std::uint64_t>(number) + 1 : static_cast<std::uint64_t>(number);
    return withMinus((number < 0 ? QStringLiteral("-") : QString()) + text(formatCount(size)));
}

/// A number with six digits that count, or all digits before its point.
QString realText(double number) {
    constexpr double kSmallest = 1e-4;
    constexpr double kLargest = 1e15;
    constexpr int kDigits = 6;
    const double size = std::abs(number);
    if (!std::isfinite(number) || (size != 0 && (size < kSmallest || size >= kLargest))) {
        return withMinus(QString::number(number, 'g', kDigits));
    }
    const int before = size < 1 ? 0 : static_cast<int>(std::floor(std::log10(size))) + 1;
    const int behind = size < 1 ? kDigits + 3 : std::max(0, kDigits - before);
    QString digits = QLocale(QLocale::English).toString(number, 'f', behind);
    while (digits.contains(QLatin1Char('.')) &&
           (digits.endsWith(QLatin1Char('0')) || digits.endsWith(QLatin1Char('.')))) {
        const bool is_point = digits.endsWith(QLatin1Char('.'));
        digits.chop(1);
        if (is_point) {
            break;
        }
    }
    return withMinus(digits);
}

QVariant alignmentOf(const AnswerColumn& column) {
    return QVariant::fromValue((isNumber(column) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
}

}  // namespace

AnswerModel::AnswerModel(const Theme& theme, QObject* parent) : QAbstractTableModel(parent), theme_(theme) {}

void AnswerModel::set(std::shared_ptr<const Answer> answer) {
    beginResetModel();
    answer_ = std::move(answer);
    endResetModel();
}

void AnswerModel::setTheme(const Theme& theme) {
    theme_ = theme;
    Q_EMIT layoutChanged();
}

CellTarget AnswerModel::targetOf(const QModelIndex& index) const {
    return answer_ == nullptr || !index.isValid()
               ? CellTarget()
               : answer_->targetOf(static_cast<std::size_t>(index.row()), static_cast<std::size_t>(index.column()));
}

QStringList AnswerModel::longTextsOf(int column) const {
    constexpr std::size_t kRows = 100;
    const auto at = static_cast<std::size_t>(column);
    const AnswerColumn& of = answer_->columns()[at];
    QString longest;
    const std::size_t step = std::max<std::size_t>(1, answer_->rows() / kRows);
    for (std::size_t row = 0; row < answer_->rows(); row += step) {
        QString words = shown(answer_->cell(row, at), of);
        longest = words.size() > longest.size() ? std::move(words) : std::move(longest);
    }
    return {longest, wholeText(of.least, !isName(of)), wholeText(of.most, !isName(of))};
}

int AnswerModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() || answer_ == nullptr ? 0 : static_cast<int>(answer_->rows());
}

int AnswerModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() || answer_ == nullptr ? 0 : static_cast<int>(answer_->columns().size());
}

QString AnswerModel::shown(const tables::Value& value, const AnswerColumn& column) {
    switch (value.kind) {
        case Kind::Null: return QStringLiteral("–");
        case Kind::Integer: return wholeText(value.integer, !isName(column));
        case Kind::Real: return realText(value.real);
        case Kind::Text: break;
    }
    return cellWords(text(value.text.substr(0, 4 * static_cast<std::size_t>(kLongestCell))).simplified());
}

QString AnswerModel::tip(const QModelIndex& index) const {
    const tables::Value& value =
        answer_->cell(static_cast<std::size_t>(index.row()), static_cast<std::size_t>(index.column()));
    const AnswerColumn& column = answer_->columns()[static_cast<std::size_t>(index.column())];
    const CellTarget target = targetOf(index);
    if (const auto* slice = std::get_if<SliceSelection>(&target)) {
        const std::string_view name = answer_->runs()[slice->run]->run->ranks[slice->rank]->name(slice->slice);
        return tr("%1\nA click shows this slice on the timeline.").arg(text(name));
    }
    if (std::holds_alternative<RankPlace>(target)) {
        return tr("A click shows this rank on the timeline.");
    }
    if (std::holds_alternative<RankStepPlace>(target)) {
        return tr("A click shows this step on the timeline.");
    }
    switch (value.kind) {
        case Kind::Text: return text(value.text.substr(0, 4 * static_cast<std::size_t>(kLongestTip)));
        case Kind::Integer: return column.title.ends_with("_ns") ? duration(value.integer) : QString();
        case Kind::Real: return QString::number(value.real, 'g', QLocale::FloatingPointShortest);
        case Kind::Null: break;
    }
    return {};
}

QVariant AnswerModel::colour(const QModelIndex& index) const {
    const tables::Value& value =
        answer_->cell(static_cast<std::size_t>(index.row()), static_cast<std::size_t>(index.column()));
    return value.kind == Kind::Null       ? QVariant(theme_.text_dim)
           : targetOf(index).index() != 0 ? QVariant(theme_.accent)
                                          : QVariant();
}

QVariant AnswerModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || answer_ == nullptr) {
        return {};
    }
    const AnswerColumn& column = answer_->columns()[static_cast<std::size_t>(index.column())];
    switch (role) {
        case Qt::DisplayRole:
            return shown(answer_->cell(static_cast<std::size_t>(index.row()), static_cast<std::size_t>(index.column())),
                         column);
        case Qt::ToolTipRole: return plainTip(tip(index));
        case Qt::TextAlignmentRole: return alignmentOf(column);
        case Qt::FontRole: return isNumber(column) ? QVariant(theme_.mono_font) : QVariant();
        case Qt::ForegroundRole: return colour(index);
        default: return {};
    }
}

QVariant AnswerModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || answer_ == nullptr || section >= columnCount()) {
        return {};
    }
    const AnswerColumn& column = answer_->columns()[static_cast<std::size_t>(section)];
    switch (role) {
        case Qt::DisplayRole: return cellWords(text(column.title).simplified());
        case Qt::ToolTipRole: return plainTip(text(column.meaning));
        case Qt::TextAlignmentRole: return alignmentOf(column);
        default: return {};
    }
}

}  // namespace rankscope::ui
