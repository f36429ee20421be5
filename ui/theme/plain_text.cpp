// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/plain_text.h"

#include <QCoreApplication>
#include <QLocale>
#include <QMessageBox>
#include <QTextDocument>

namespace rankscope::ui {
namespace {

const QChar kEllipsis(0x2026);

/// The first `longest` characters, never half of one that takes two units.
QString beginning(const QString& words, qsizetype longest) {
    const bool splits = words.at(longest - 1).isHighSurrogate();
    return words.left(splits ? longest - 1 : longest);
}

}  // namespace

QString plainTip(const QString& words) {
    QString shown = words;
    if (words.size() > kLongestTip) {
        const QString length = QLocale(QLocale::English).toString(words.size());
        shown = beginning(words, kLongestTip) + kEllipsis + QLatin1Char('\n') +
                QCoreApplication::translate("PlainText", "(%1 characters)").arg(length);
    }
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
