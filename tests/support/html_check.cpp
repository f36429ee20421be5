// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/html_check.h"

#include "tests/support/places.h"
#include "tests/support/process.h"
#include "tests/support/temp_files.h"

namespace rankscope::test {

SchemaVerdict checkHtml(const std::string& report_html, const std::string& report_json) {
    const TempFolder scratch;
    const std::string source = sourceFolder().string();
    const ProcessResult result =
        runProcess({"python3", source + "/tests/support/check_html_report.py",
                    scratch.write("report.html", report_html), scratch.write("report.json", report_json)});
    return {result.code != kNoProgram, result.code == 0, result.out + result.err};
}

}  // namespace rankscope::test
