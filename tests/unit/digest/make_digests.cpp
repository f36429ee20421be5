// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/unit/digest/make_digests.h"

#include "core/condense/make_digest.h"
#include "core/condense/plan.h"
#include "tests/support/testing.h"

namespace rankscope::test {

std::vector<std::string> makeDigests(const std::filesystem::path& traces, const std::filesystem::path& folder) {
    const Result<std::vector<DigestTask>> tasks = planDigests({traces.string()}, folder.string());
    EXPECT_TRUE(tasks.ok()) << tasks.error().text();
    std::vector<std::string> digests;
    DigestMaker maker;
    maker.tool = "test";
    for (const DigestTask& task : tasks.value()) {
        const Result<MadeDigest> made = makeDigest(task, maker, {});
        EXPECT_TRUE(made.ok()) << made.error().text();
        digests.push_back(task.digest);
    }
    return digests;
}

}  // namespace rankscope::test
