// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/write_file.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>

#include "tests/support/temp_files.h"
#include "tests/support/testing.h"

namespace rankscope {
namespace {

namespace fs = std::filesystem;
using test::contentOf;
using test::TempFolder;

class WriteFile : public ::testing::Test {
  protected:
    void TearDown() override { fs::permissions(folder, fs::perms::owner_all); }

    [[nodiscard]] std::string at(const std::string& name) const { return (folder / name).string(); }

    [[nodiscard]] std::ptrdiff_t files() const {
        return std::distance(fs::directory_iterator(folder), fs::directory_iterator());
    }

    TempFolder scratch;
    const fs::path& folder = scratch.path();
};

/// No file may grow beyond so many bytes while this lives: what a full disk does, without one.
class SmallFiles {
  public:
    explicit SmallFiles(rlim_t bytes) : signal_(std::signal(SIGXFSZ, SIG_IGN)) {
        ::getrlimit(RLIMIT_FSIZE, &before_);
        const rlimit now{bytes, before_.rlim_max};
        ::setrlimit(RLIMIT_FSIZE, &now);
    }
    SmallFiles(const SmallFiles&) = delete;
    SmallFiles& operator=(const SmallFiles&) = delete;
    ~SmallFiles() {
        ::setrlimit(RLIMIT_FSIZE, &before_);
        (void)std::signal(SIGXFSZ, signal_);
    }

  private:
    rlimit before_{};
    void (*signal_)(int);
};

TEST_F(WriteFile, ANewFileHoldsTheTextAndNothingStandsBesideIt) {
    const std::string text("a\0b\n", 4);
    EXPECT_FALSE(writeFileAtomically(at("report.json"), text));
    EXPECT_EQ(contentOf(at("report.json")), text);
    EXPECT_EQ(files(), 1);
}

TEST_F(WriteFile, AnOldFileIsReplacedAsAWholeAndKeepsItsPermissions) {
    std::ofstream(at("report.json")) << "the old one, which is longer";
    fs::permissions(at("report.json"), fs::perms::owner_read | fs::perms::owner_write);
    std::ifstream reader(at("report.json"));  // opened before: goes on reading the old one
    EXPECT_FALSE(writeFileAtomically(at("report.json"), "new"));
    EXPECT_EQ(contentOf(at("report.json")), "new");
    EXPECT_EQ(std::string(std::istreambuf_iterator<char>(reader), {}), "the old one, which is longer");
    EXPECT_EQ(fs::status(at("report.json")).permissions(), fs::perms::owner_read | fs::perms::owner_write);
}

TEST_F(WriteFile, WhatDoesNotFitLeavesTheOldFileAndSaysWhy) {
    std::ofstream(at("report.json")) << "old";
    std::optional<Error> error;
    {
        const SmallFiles small(4096);
        error = writeFileAtomically(at("report.json"), std::string(100'000, 'x'));
    }
    ASSERT_TRUE(error);
    EXPECT_EQ(error->path, at("report.json"));
    EXPECT_EQ(error->cause, "cannot be written: File too large");
    EXPECT_EQ(contentOf(at("report.json")), "old");
    EXPECT_EQ(files(), 1) << "the part that was written is gone";
}

TEST_F(WriteFile, AFullDeviceSaysSo) {
    const std::optional<Error> error = writeFileAtomically("/dev/full", "text");
    ASSERT_TRUE(error);
    EXPECT_EQ(error->text(), "/dev/full: cannot be written: No space left on device");
}

TEST_F(WriteFile, ALinkStaysAndItsTargetIsWritten) {
    fs::create_directory(at("far"));
    std::ofstream(at("far/report.json")) << "old";
    fs::create_symlink("far/report.json", at("link.json"));
    fs::create_symlink("far/fresh.json", at("dangling.json"));
    EXPECT_FALSE(writeFileAtomically(at("link.json"), "new"));
    EXPECT_FALSE(writeFileAtomically(at("dangling.json"), "fresh"));
    EXPECT_TRUE(fs::is_symlink(at("link.json")));
    EXPECT_TRUE(fs::is_symlink(at("dangling.json")));
    EXPECT_EQ(contentOf(at("far/report.json")), "new");
    EXPECT_EQ(contentOf(at("far/fresh.json")), "fresh");
}

TEST_F(WriteFile, APipeIsWrittenToAndStaysAPipe) {
    ASSERT_EQ(::mkfifo(at("pipe").c_str(), 0600), 0);
    const int reader = ::open(at("pipe").c_str(), O_RDONLY | O_NONBLOCK);
    ASSERT_GE(reader, 0);
    EXPECT_FALSE(writeFileAtomically(at("pipe"), "text"));
    std::string got(4, ' ');
    EXPECT_EQ(::read(reader, got.data(), got.size()), 4);
    EXPECT_EQ(got, "text");
    EXPECT_TRUE(fs::is_fifo(at("pipe")));
    ::close(reader);
}

TEST_F(WriteFile, WhatStandardOutputGoesToIsAppendedToAndNotReplaced) {
    const int file = ::open(at("shell.txt").c_str(), O_RDWR | O_CREAT, 0600);
    ASSERT_GE(file, 0);
    const int before = ::dup(STDOUT_FILENO);
    (void)std::fflush(stdout);
    ::dup2(file, STDOUT_FILENO);
    const std::optional<Error> first = writeFileAtomically("/dev/stdout", "one ");
    const std::optional<Error> second = writeFileAtomically("-", "two");
    ::dup2(before, STDOUT_FILENO);
    ::close(before);
    ::close(file);
    EXPECT_FALSE(first);
    EXPECT_FALSE(second);
    EXPECT_EQ(contentOf(at("shell.txt")), "one two");
    EXPECT_EQ(files(), 1);
}

TEST_F(WriteFile, WhatCannotBeMadeSaysWhy) {
    const auto cause = [](const std::string& path) {
        const std::optional<Error> error = writeFileAtomically(path, "text");
        return error ? error->cause : "written";
    };
    EXPECT_EQ(cause(at("no/such/folder.json")), "cannot be written: No such file or directory");
    EXPECT_EQ(cause(folder.string()), "cannot be written: Is a directory");
    EXPECT_EQ(cause(at(std::string(300, 'x'))), "cannot be written: File name too long");
}

TEST_F(WriteFile, ANameOfTheMostCharactersAllowedIsNoMatter) {
    const std::string name(255, 'x');
    EXPECT_FALSE(writeFileAtomically(at(name), "text"));
    EXPECT_EQ(contentOf(at(name)), "text");
}

}  // namespace
}  // namespace rankscope
