// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "tests/support/report_schema.h"

namespace rankscope::test {

/// Whether an HTML report is well formed and loads nothing, and whether the numbers in its tables are those of the JSON
/// report of the same runs. Not checked where Python is missing.
[[nodiscard]] SchemaVerdict checkHtml(const std::string& report_html, const std::string& report_json);

}  // namespace rankscope::test

/// Skips a test, saying why, where that cannot be checked here.
#define RANKSCOPE_EXPECT_HTML_HOLDS(report_html, report_json)                               \
    do {                                                                                    \
        const auto html_verdict = rankscope::test::checkHtml((report_html), (report_json)); \
        if (!html_verdict.checked) {                                                        \
            GTEST_SKIP() << "skipped: " << html_verdict.message;                            \
        }                                                                                   \
        EXPECT_TRUE(html_verdict.holds) << html_verdict.message;                            \
    } while (false)
