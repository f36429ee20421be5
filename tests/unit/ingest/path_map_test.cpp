// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ingest/files/path_map.h"

#include "tests/support/temp_files.h"
#include "tests/support/testing.h"

namespace rankscope::test {
namespace {

class PathMapOfFolder : public testing::Test {
  protected:
    [[nodiscard]] std::string at(const std::string& name) const { return (folder.path() / name).string(); }

    TempFolder folder;
    std::string here = folder.write("rank0.json", "{}");
};

TEST_F(PathMapOfFolder, LeadsToTheFileThatIsHere) {
    EXPECT_EQ(pathHere("/lustre/job/rank0.json", {{"/lustre/job", at("")}}), here);
    EXPECT_EQ(pathHere("/lustre/job/rank0.json", {{"/lustre/job/", folder.path().string()}}), here);
    EXPECT_EQ(pathHere("/rank0.json", {{"/", folder.path().string()}}), here);
}

TEST_F(PathMapOfFolder, LeavesAPathThatIsHereOrThatNoFolderLeadsFrom) {
    EXPECT_EQ(pathHere(here, {{"/", "/nowhere"}}), here);
    EXPECT_EQ(pathHere("/lustre/rank0.json", {}), "/lustre/rank0.json");
    EXPECT_EQ(pathHere("/lustre2/rank0.json", {{"/lustre", folder.path().string()}}), "/lustre2/rank0.json");
    EXPECT_EQ(pathHere("/lustre/rank9.json", {{"/lustre", folder.path().string()}}), "/lustre/rank9.json");
}

TEST_F(PathMapOfFolder, TakesTheLastFolderThatHasTheFile) {
    const PathMap map = {{"/lustre", folder.path().string()}, {"/lustre", "/nowhere"}};
    EXPECT_EQ(pathHere("/lustre/rank0.json", map), here);
    const std::string other = folder.write("other/rank0.json", "{}");
    EXPECT_EQ(pathHere("/lustre/rank0.json", {{"/lustre", at("")}, {"/lustre", at("other")}}), other);
}

TEST_F(PathMapOfFolder, IsFoundForAFolderByAsMuchOfThePathAsIsThere) {
    EXPECT_EQ(mappingInto(folder.path().string(), "/lustre/job/rank0.json"),
              (MappedFolder{"/lustre/job", folder.path().string()}));
    (void)folder.write("job/rank0.json", "{}");
    EXPECT_EQ(mappingInto(folder.path().string(), "/lustre/job/rank0.json"),
              (MappedFolder{"/lustre", folder.path().string()}))
        << "the longer end of the path counts";
    EXPECT_EQ(mappingInto(folder.path().string(), "/lustre/job/rank1.json"), std::nullopt);
    const auto found = mappingInto(folder.path().string(), "/job/rank0.json");
    ASSERT_TRUE(found);
    EXPECT_EQ(pathHere("/job/rank0.json", {*found}), at("job/rank0.json"));
}

TEST_F(PathMapOfFolder, DoesNotTakeAFileOfAnotherSizeForATrace) {
    TraceFile file;
    file.path = "/lustre/rank0.json";
    file.bytes = 2;
    EXPECT_EQ(pathHere(file, {{"/lustre", folder.path().string()}}), here);
    EXPECT_TRUE(mappingInto(folder.path().string(), file));
    file.bytes = 3;
    EXPECT_EQ(pathHere(file, {{"/lustre", folder.path().string()}}), file.path);
    EXPECT_FALSE(mappingInto(folder.path().string(), file));
}

TEST_F(PathMapOfFolder, KnowsMembersOfArchivesByTheirPackedSize) {
    writeZip(folder.path() / "job.zip", {{"a.json", "{}"}});
    TraceFile file;
    file.path = "/lustre/job.zip";
    file.member = "a.json";
    EXPECT_TRUE(mappingInto(folder.path().string(), file)) << "nobody said its size";
    file.bytes = 1'000;
    EXPECT_FALSE(mappingInto(folder.path().string(), file));
    file.member = "b.json";
    file.bytes = 0;
    EXPECT_FALSE(mappingInto(folder.path().string(), file));
}

TEST(PathMap, ReadsPairsOfAbsolutePathsOnly) {
    const auto folder = mappedFolderOf("/lustre=/mnt/a=b");
    ASSERT_TRUE(folder);
    EXPECT_EQ(folder->from, "/lustre");
    EXPECT_EQ(folder->to, "/mnt/a=b");
    for (const char* wrong : {"", "/lustre", "lustre=/mnt", "/lustre=mnt", "/lustre="}) {
        EXPECT_FALSE(mappedFolderOf(wrong)) << wrong;
    }
}

TEST(PathMap, IsTakenFromTheEnvironment) {
    ASSERT_EQ(::setenv("RANKSCOPE_MAP", "/a=/b:wrong:/c=/d", 1), 0);
    const PathMap map = pathMapForUser();
    ASSERT_EQ(::unsetenv("RANKSCOPE_MAP"), 0);
    ASSERT_EQ(map.size(), 2U);
    EXPECT_EQ(map[0].from, "/a");
    EXPECT_EQ(map[1].to, "/d");
    EXPECT_TRUE(pathMapForUser().empty());
}

}  // namespace
}  // namespace rankscope::test
