// SPDX-License-Identifier: GPL-3.0-or-later
// How changes are written, and which exclude one another.
#include "tests/support/testing.h"
#include "tests/unit/whatif/prepared.h"

namespace rankscope::test {
namespace {

struct Written {
    std::string text;
    std::string form;
    WhatIfValues values;
};

WhatIfValues counted(std::int64_t count) {
    WhatIfValues values;
    values.count = count;
    return values;
}

WhatIfValues bandwidth(double number) {
    WhatIfValues values;
    values.number = number;
    return values;
}

WhatIfValues named(const std::string& name, double factor = 1) {
    WhatIfValues values;
    values.name = name;
    values.factor = factor;
    return values;
}

std::vector<Written> oneOfEachForm() {
    return {{"rank=3:like-median", "rank=R:like-median", counted(3)},
            {"rank=0:like-median", "rank=R:like-median", {}},
            {"ranks:equal", "ranks:equal", {}},
            {"loader:ready", "loader:ready", {}},
            {"loader:workers=12", "loader:workers=W", counted(12)},
            {"loader:workers=x1.5", "loader:workers=xF", named("", 1.5)},
            {"overlap:perfect", "overlap:perfect", {}},
            {"overlap:none", "overlap:none", {}},
            {"bucket_cap_mb=50", "bucket_cap_mb=N", counted(50)},
            {"link:x0.25", "link:xF", named("", 0.25)},
            {"link:inside=450", "link:inside=GB", bandwidth(450)},
            {"link:across=12.5", "link:across=GB", bandwidth(12.5)},
            {"algorithm:tree", "algorithm:NAME", named("tree")},
            {"kernels:a:x2:x0.8", "kernels:REGEX:xF", named("a:x2", 0.8)},
            {"kernels:^(sm80|ampere)_.*gemm:x1e-1", "kernels:REGEX:xF", named("^(sm80|ampere)_.*gemm", 0.1)},
            {"class:copy:x2", "class:NAME:xF", named("copy", 2)},
            {"operator:aten::mm:x0.5", "operator:NAME:xF", named("aten::mm", 0.5)},
            {"module:Linear_3:x1", "module:NAME:xF", named("Linear_3", 1)},
            {"fuse:gelu|add", "fuse:REGEX", named("gelu|add")},
            {"host:x1000", "host:xF", named("", 1000)},
            {"launch:graphs", "launch:graphs", {}},
            {"sync:none", "sync:none", {}},
            {"gc:off", "gc:off", {}},
            {"precision:fp8", "precision:NAME", named("fp8")},
            {"cool", "cool", {}},
            {"gpu:H100 SXM", "gpu:NAME", named("H100 SXM")},
            {"micro_batches=16", "micro_batches=N", counted(16)},
            {"schedule:1f1b", "schedule:NAME", named("1f1b")},
            {"stages:even", "stages:even", {}},
            {"world=64", "world=N", counted(64)},
            {"hosts=4", "hosts=N", counted(4)},
            {"batch:x2", "batch:xF", named("", 2)},
            {"prefetch:1", "prefetch:N", counted(1)},
            {"zero:1", "zero:N", counted(1)},
            {"recompute:on", "recompute:on", {}},
            {"recompute:off", "recompute:off", {}}};
}

TEST(WhatIfChanges, AreReadFromTheirForms) {
    for (const Written& one : oneOfEachForm()) {
        SCOPED_TRACE(one.text);
        const Result<WhatIfChange> change = parseWhatIf(one.text);
        ASSERT_TRUE(change.ok());
        EXPECT_EQ(change.value().text, one.text);
        EXPECT_EQ(change.value().kind->form, one.form);
        EXPECT_EQ(change.value().values.name, one.values.name);
        EXPECT_EQ(change.value().values.factor, one.values.factor);
        EXPECT_EQ(change.value().values.count, one.values.count);
        EXPECT_EQ(change.value().values.number, one.values.number);
    }
}

TEST(WhatIfChanges, OfEveryKindAreRead) {
    std::set<std::string, std::less<>> read;
    for (const Written& one : oneOfEachForm()) {
        read.insert(one.form);
    }
    for (const WhatIfKind& kind : whatIfKinds()) {
        EXPECT_TRUE(read.contains(kind.form)) << kind.form;
        EXPECT_TRUE(kind.meaning.ends_with('.')) << kind.form;
        EXPECT_TRUE(kind.assumes.ends_with('.')) << kind.form;
        EXPECT_NE(kind.effect, nullptr) << kind.form;
    }
}

TEST(WhatIfChanges, TakeFactorsAboveZeroOnly) {
    for (const char* factor : {"0", "-1", "inf", "-inf", "nan", "fast", "", "1001", "0.0001", "0.5s", "1e400", " 1"}) {
        const std::string why = whyNoChange("link:x" + std::string(factor));
        EXPECT_THAT(why, HasSubstr("a factor is a number from 0.001 to 1,000, not ")) << factor;
    }
    for (const char* factor : {"0.001", "1000", "1", "2.5", "1e2"}) {
        EXPECT_EQ(whyNoChange("host:x" + std::string(factor)), "");
    }
}

TEST(WhatIfChanges, TakeWholeCountsOnly) {
    for (const char* count : {"0", "-4", "4.5", "four", "", "1000001", "99999999999999999999"}) {
        EXPECT_THAT(whyNoChange("loader:workers=" + std::string(count)),
                    HasSubstr("a whole number from 1 to 1,000,000 is needed, not "))
            << count;
    }
    EXPECT_THAT(whyNoChange("rank=-1:like-median"), HasSubstr("a whole number from 0 to 1,000,000"));
    for (const char* number : {"0", "-5", "inf", "nan", "fast", "", "1e7"}) {
        EXPECT_THAT(whyNoChange("link:inside=" + std::string(number)),
                    HasSubstr("a bandwidth is a number of GB/s above 0, not "))
            << number;
    }
}

TEST(WhatIfChanges, ThatAreUnknownNameTheNearest) {
    EXPECT_EQ(whyNoChange("loadr:ready"), "\"loadr:ready\": no such change; did you mean loader:ready?");
    EXPECT_EQ(whyNoChange("kernel:gemm:x2"), "\"kernel:gemm:x2\": no such change; did you mean kernels:REGEX:xF?");
    EXPECT_EQ(whyNoChange("loader:quick"),
              "\"loader:quick\": no such change; it is written loader:ready, loader:workers=xF, loader:workers=W.");
    EXPECT_EQ(whyNoChange("host=2"), "\"host=2\": no such change; it is written host:xF.");
    EXPECT_EQ(whyNoChange("zzzzzz"), "\"zzzzzz\": no such change; \"what-if --list\" names all.");
    EXPECT_THAT(whyNoChange(""), HasSubstr("no such change"));
    EXPECT_THAT(whyNoChange("kernels::x2"), HasSubstr("the name is missing."));
    const std::string long_one = whyNoChange(std::string(5'000, 'x'));
    EXPECT_THAT(long_one, HasSubstr("a change has at most 1,000 letters."));
    EXPECT_LT(long_one.size(), 120U);
}

std::string whyExcluded(const std::vector<std::string>& texts) {
    const std::optional<Error> error = excludeOneAnother(changesOf(texts));
    return error ? error->cause : "";
}

TEST(WhatIfChanges, OfOneSubjectExcludeOneAnother) {
    const std::vector<std::vector<std::string>> excluded = {{"loader:ready", "loader:workers=4"},
                                                            {"loader:workers=2", "loader:workers=4"},
                                                            {"overlap:perfect", "overlap:none"},
                                                            {"bucket_cap_mb=1", "bucket_cap_mb=2"},
                                                            {"link:x2", "link:inside=10"},
                                                            {"link:x2", "link:x2"},
                                                            {"link:across=1", "link:across=2"},
                                                            {"rank=1:like-median", "ranks:equal"},
                                                            {"rank=1:like-median", "rank=1:like-median"},
                                                            {"host:x2", "host:x3"},
                                                            {"algorithm:ring", "algorithm:tree"}};
    for (const auto& pair : excluded) {
        EXPECT_EQ(whyExcluded(pair), "\"" + pair[0] + "\" and \"" + pair[1] + "\" exclude each other.");
    }
    EXPECT_EQ(whyExcluded({"host:x2", "cool", "host:x3"}), "\"host:x2\" and \"host:x3\" exclude each other.");
}

TEST(WhatIfChanges, OfDifferentThingsGoTogether) {
    for (const std::vector<std::string>& together : std::vector<std::vector<std::string>>{
             {},
             {"kernels:a:x2", "kernels:a:x2", "class:compute:x2", "operator:b:x2", "module:c:x2", "fuse:d"},
             {"rank=1:like-median", "rank=2:like-median"},
             {"link:inside=10", "link:across=1"},
             {"loader:ready", "link:x2", "host:x2", "sync:none", "cool", "launch:graphs"}}) {
        EXPECT_EQ(whyExcluded(together), "");
    }
}

}  // namespace
}  // namespace rankscope::test
