// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/core_text.h"

#include <QCoreApplication>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <QStringList>
#include <algorithm>
#include <functional>
#include <string>

#include "core/base/format.h"
#include "resources/core_words.h"

namespace rankscope::ui {
namespace {

constexpr const char* kContext = "core";
const QString kPlace = QStringLiteral("{}");
constexpr int kDeepest = 4;  // values within values

QString translated(const QString& english) {
    return coreText(english, nullptr);
}

/// A text with places for values, and how to recognise a text that was made from it.
struct Template {
    QString text;
    QString head;  ///< up to the first place: what every such text begins with
    QRegularExpression filled;
};

std::vector<Template> templatesOf(const std::vector<QString>& texts) {
    std::vector<Template> made;
    for (const QString& text : texts) {
        if (!text.contains(kPlace)) {
            continue;
        }
        const QStringList parts = text.split(kPlace);
        QStringList literal;
        for (const QString& part : parts) {
            literal << QRegularExpression::escape(part);
        }
        made.push_back({text, parts.front(),
                        QRegularExpression(QRegularExpression::anchoredPattern(literal.join(QStringLiteral("(.+?)"))),
                                           QRegularExpression::DotMatchesEverythingOption)});
    }
    // Templates with the most text first: "{}, {}" would match nearly everything.
    std::ranges::stable_sort(made, std::ranges::greater(), [](const Template& one) { return one.text.size(); });
    return made;
}

QString inOtherWords(const QString& english, int depth);

QString withFirst(const QString& words, QChar letter) {
    return words.isEmpty() ? words : letter + words.mid(1);
}

/// `words`, a translated template, with its places filled in order.
QString filled(const QString& words, const QRegularExpressionMatch& match, int depth) {
    QString out;
    const QStringList parts = words.split(kPlace);
    for (qsizetype i = 0; i < parts.size(); ++i) {
        out += parts[i];
        if (i + 1 < parts.size()) {
            out += inOtherWords(match.captured(static_cast<int>(i) + 1), depth + 1);
        }
    }
    return out;
}

QString inOtherWords(const QString& english, int depth) {
    static const std::vector<Template> templates = templatesOf(coreTexts());
    QString whole = translated(english);
    if (whole != english || depth > kDeepest || english.isEmpty()) {
        return whole;
    }
    if (const QString small = withFirst(english, english.front().toLower()); small != english) {
        if (const QString words = translated(small); words != small) {
            return withFirst(words, words.front().toUpper());  // the title of a column, which is lower case in core
        }
    }
    for (const Template& one : templates) {
        if (!english.startsWith(one.head)) {
            continue;
        }
        if (const QRegularExpressionMatch match = one.filled.match(english); match.hasMatch()) {
            const QString words = translated(one.text);
            return words.count(kPlace) == one.text.count(kPlace) ? filled(words, match, depth) : english;
        }
    }
    return english;
}

}  // namespace

QString coreText(std::string_view english) {
    const QString text = QString::fromUtf8(english.data(), static_cast<qsizetype>(english.size()));
    return text.isEmpty() || !speaksAnotherLanguage() ? text : inOtherWords(text, 0);
}

const std::vector<QString>& coreTexts() {
    static const std::vector<QString> texts = [] {
        const std::string_view json = resources::core_words;
        const auto document = QJsonDocument::fromJson(QByteArray(json.data(), static_cast<qsizetype>(json.size())));
        const QJsonObject groups = document.object()[QStringLiteral("texts")].toObject();
        std::vector<QString> read;
        for (const auto group : groups) {
            for (const auto text : group.toArray()) {
                read.push_back(text.toString());
            }
        }
        return read;
    }();
    return texts;
}

QString coreText(const QString& english, const char* key) {
    return QCoreApplication::translate(kContext, english.toUtf8().constData(), key);
}

bool speaksAnotherLanguage() {
    const QString english = QStringLiteral("English");
    return translated(english) != english;
}

QString plural(const QString& words, std::uint64_t count) {
    QString said = QString(words).replace(QStringLiteral("(s)"), count == 1 ? QString() : QStringLiteral("s"));
    const QString digits = QString::number(count);
    const std::string grouped = formatCount(count);
    if (const qsizetype at = said.indexOf(digits); at >= 0) {  // as tr() has put it in the place of %n
        said.replace(at, digits.size(), QString::fromStdString(grouped));
    }
    return said;
}

}  // namespace rankscope::ui
