// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/report_schema.h"

#include "tests/support/places.h"
#include "tests/support/process.h"
#include "tests/support/temp_files.h"

namespace rankscope::test {

SchemaVerdict checkReport(const std::string& report_json) {
    static constexpr int kPackageMissing = 77;
    const TempFolder scratch;
    const std::string source = sourceFolder().string();
    const ProcessResult result =
        runProcess({"python3", source + "/tests/support/validate_report.py", source + "/resources/report.schema.json",
                    scratch.write("report.json", report_json)});
    SchemaVerdict verdict;
    verdict.checked = result.code != kPackageMissing && result.code != kNoProgram;
    verdict.holds = result.code == 0;
    verdict.message = result.out + result.err;
    return verdict;
}

}  // namespace rankscope::test
