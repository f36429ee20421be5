// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <gtest/gtest.h>

#include <QString>
#include <initializer_list>

namespace rankscope::test {

/// Whether a text holds each of these words, in UTF-8; a failure names those that it lacks, and the text.
[[nodiscard]] inline testing::AssertionResult holds(const QString& text, std::initializer_list<const char*> all) {
    testing::AssertionResult lacks = testing::AssertionFailure();
    bool whole = true;
    for (const char* words : all) {
        if (!text.contains(QString::fromUtf8(words))) {
            lacks << "no \"" << words << "\" in ";
            whole = false;
        }
    }
    return whole ? testing::AssertionSuccess() : lacks << text.toStdString();
}

/// Whether a text begins with these words; a failure shows the text.
[[nodiscard]] inline testing::AssertionResult begins(const QString& text, const char* words) {
    return text.startsWith(QString::fromUtf8(words)) ? testing::AssertionSuccess()
                                                     : testing::AssertionFailure() << text.toStdString();
}

}  // namespace rankscope::test
