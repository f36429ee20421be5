// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <gtest/gtest.h>

#include <string>

namespace rankscope::test {

/// What the JSON schema of the reports says of one.
struct SchemaVerdict {
    bool checked = false;  ///< false where Python or its jsonschema package is missing
    bool holds = false;
    std::string message;  ///< each place that does not hold, or why nothing was checked
};

[[nodiscard]] SchemaVerdict checkReport(const std::string& report_json);

}  // namespace rankscope::test

/// Skips a test, saying why, where reports cannot be held against their schema here.
#define RANKSCOPE_EXPECT_REPORT_HOLDS(report_json)                             \
    do {                                                                       \
        const auto schema_verdict = rankscope::test::checkReport(report_json); \
        if (!schema_verdict.checked) {                                         \
            GTEST_SKIP() << "skipped: " << schema_verdict.message;             \
        }                                                                      \
        EXPECT_TRUE(schema_verdict.holds) << schema_verdict.message;           \
    } while (false)
