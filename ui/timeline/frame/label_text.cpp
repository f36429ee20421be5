// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/frame/label_text.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace rankscope::ui {
namespace {

constexpr double kLabelPixels = 11;
constexpr double kFewestLetters = 3.5;         // a label that is cut to fewer letters is useless
constexpr std::size_t kMostLabelBytes = 4096;  // bytes of a name: names in files may be megabytes long
constexpr QChar kEllipsis(0x2026);

bool isWordLetter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

// Only names such as "void a::b<c>(d)" have parts that may be omitted: "train.py(54): step" must keep its parentheses.
bool looksLikeCpp(std::string_view name) {
    return name.starts_with("void ") || name.find('<') != std::string_view::npos ||
           (name.find("::") != std::string_view::npos && name.ends_with(')'));
}

// Removes everything in angle brackets.
std::string withoutTemplates(std::string_view name) {
    std::string out;
    int depth = 0;
    for (std::size_t i = 0; i < name.size(); ++i) {
        const char c = name[i];
        // "operator<" and "->" are not brackets; a bracket follows a letter.
        if (c == '<' && (depth > 0 || (i > 0 && isWordLetter(name[i - 1])))) {
            ++depth;
        } else if (c == '>' && depth > 0) {
            --depth;
        } else if (depth == 0) {
            out.push_back(c);
        }
    }
    return depth == 0 ? out : std::string(name);
}

QString toText(std::string_view s) {
    return QString::fromUtf8(s.data(), static_cast<qsizetype>(s.size()));
}

QString cut(const QString& text, double room, const TextMeasure& measure) {
    double width = measure.width(QStringView(&kEllipsis, 1));
    qsizetype kept = 0;
    while (kept < text.size()) {
        width += measure.width(QStringView(text).mid(kept, 1));
        if (width > room) {
            break;
        }
        ++kept;
    }
    if (kept > 0 && text.at(kept - 1).isHighSurrogate()) {
        --kept;
    }
    return static_cast<double>(kept) < kFewestLetters ? QString() : text.left(kept) + kEllipsis;
}

}  // namespace

RowSizes rowSizes(const Theme& theme) {
    const RowSizes plain;
    return {scaled(plain.run, theme), scaled(plain.rank, theme), scaled(plain.group, theme), scaled(plain.row, theme),
            scaled(plain.step_band, theme)};
}

EdgeSizes edgeSizes(const Theme& theme) {
    const EdgeSizes plain;
    return {scaled(plain.side, theme),   scaled(plain.ruler, theme),  scaled(plain.ticks, theme),
            scaled(plain.button, theme), scaled(plain.editor, theme), scaled(plain.flags, theme)};
}

QFont labelFont(const Theme& theme, double pixel_ratio) {
    QFont font = theme.ui_font;
    font.setPixelSize(static_cast<int>(std::lround(kLabelPixels * textScale(theme) * pixel_ratio)));
    font.setKerning(false);  // widths are added up letter by letter
    return font;
}

TextMeasure::TextMeasure(const QFont& font) {
    const QFontMetricsF metrics(font);
    for (std::size_t c = 0; c < ascii_.size(); ++c) {
        ascii_[c] = c < 32 ? 0.0F : static_cast<float>(metrics.horizontalAdvance(QChar(static_cast<ushort>(c))));
    }
    average_ = metrics.averageCharWidth();
    ascent_ = metrics.ascent();
    descent_ = metrics.descent();
}

double TextMeasure::width(QStringView text) const {
    double width = 0;
    for (const QChar c : text) {
        width += c.unicode() < ascii_.size() ? static_cast<double>(ascii_[c.unicode()]) : average_ * 1.6;
    }
    return width;
}

std::string_view withoutParameters(std::string_view name) {
    if (!looksLikeCpp(name)) {
        return name;
    }
    if (name.starts_with("void ")) {
        name.remove_prefix(5);
    }
    if (!name.ends_with(')')) {
        return name;
    }
    int depth = 0;
    for (std::size_t i = name.size(); i-- > 0;) {
        depth += name[i] == ')' ? 1 : name[i] == '(' ? -1 : 0;
        if (depth == 0 && i > 0) {
            return name.substr(0, i);
        }
    }
    return name;
}

QString fitLabel(std::string_view name, double room, const TextMeasure& measure) {
    if (room < kFewestLetters * measure.averageWidth()) {
        return {};
    }
    name = name.substr(0, kMostLabelBytes);
    // No letter is narrower than a fifth of the average; text that cannot fit is not even converted.
    const auto most = static_cast<std::size_t>(room / measure.averageWidth() * 5);
    if (name.size() <= most) {
        QString whole = toText(name);
        if (measure.width(whole) <= room) {
            return whole;
        }
    }
    if (!looksLikeCpp(name)) {
        return cut(toText(name.substr(0, most)), room, measure);
    }
    std::string shorter = withoutTemplates(withoutParameters(name));
    if (QString text = toText(shorter); measure.width(text) <= room) {
        return text;
    }
    if (const std::size_t colons = shorter.rfind("::"); colons != std::string::npos) {
        shorter.erase(0, colons + 2);
    }
    const QString text = toText(shorter);
    return measure.width(text) <= room ? text : cut(text, room, measure);
}

}  // namespace rankscope::ui
