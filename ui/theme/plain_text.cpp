// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/plain_text.h"

#include <QCoreApplication>
#include <QLocale>
#include <QMessageBox>
#include <QStringList>
#include <QTextDocument>

namespace rankscope::ui {
namespace {

const QChar kEllipsis(0x2026);

/// The first `longest` characters, never half of a surrogate pair.
QString beginning(const QString& words, qsizetype longest) {
    const bool splits = words.at(longest - 1).isHighSurrogate();
    return words.left(splits ? longest - 1 : longest);
}

/// Breaks lines that are too long at the end of a word: Qt itself only breaks HTML.
QString wrapped(const QString& words) {
    QStringList lines = words.split(QLatin1Char('\n'));
    for (QString& line : lines) {
        qsizetype from = 0;
        while (line.size() - from > kWidestTip) {
            const qsizetype before = line.lastIndexOf(QLatin1Char(' '), from + kWidestTip);
            const qsizetype at = before > from ? before : line.indexOf(QLatin1Char(' '), from + kWidestTip);
            if (at < 0) {
                break;
            }
            line[at] = QLatin1Char('\n');
            from = at + 1;
        }
    }
    return lines.join(QLatin1Char('\n'));
}

}  // namespace

QString plainTip(const QString& words) {
    QString shown = words;
    if (words.size() > kLongestTip) {
        const QString length = QLocale(QLocale::English).toString(words.size());
        shown = beginning(words, kLongestTip) + kEllipsis + QLatin1Char('\n') +
                QCoreApplication::translate("PlainText", "(%1 characters)").arg(length);
    }
    shown = wrapped(shown);
    return Qt::mightBeRichText(shown) ? Qt::convertFromPlainText(shown) : shown;
}

QString cellWords(const QString& words) {
    return words.size() > kLongestCell ? beginning(words, kLongestCell - 1) + kEllipsis : words;
}

QLabel* plainLabel(const QString& words, QWidget* parent) {
    auto* label = new QLabel(parent);
    label->setTextFormat(Qt::PlainText);
    label->setText(words);
    return label;
}

void warnPlainly(QWidget* parent, const QString& title, const QString& words) {
    QMessageBox box(QMessageBox::Warning, title, words, QMessageBox::Ok, parent);
    box.setTextFormat(Qt::PlainText);
    box.exec();
}

}  // namespace rankscope::ui
