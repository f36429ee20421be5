// SPDX-License-Identifier: GPL-3.0-or-later
// What is done over ssh, with a script in ssh's place that runs the commands in a folder of this machine. ./dev test
// --cluster does the same with a real sshd and the real tool.
#include "core/remote/fetch_digests.h"

#include <elf.h>

#include <cstring>

#include "tests/support/temp_files.h"
#include "tests/support/testing.h"

namespace rankscope::test {
namespace {

// Obeys files beside it: `refuse` has what it prints before it fails, `cut` how many bytes of a copy come through,
// and is gone after the first; `cut-early` ends a connection that a tool is sent over before it says anything, once;
// `noise` is printed before anything else, as a user's shell may.
constexpr const char* kSsh = R"sh(#!/bin/sh
here=$(dirname "$0")
for command; do :; done
printf '%s\n' "$command" >>"$here/commands"
if [ -f "$here/refuse" ]; then cat "$here/refuse" >&2; exit 255; fi
HOME=$here/home; PATH=$here/bin:/usr/bin:/bin; TMPDIR=$here/tmp; export HOME PATH TMPDIR; unset XDG_CACHE_HOME
case $command in
*'tail -c'*)
    if [ -f "$here/cut" ]; then
        n=$(cat "$here/cut"); [ -f "$here/always" ] || rm "$here/cut"
        sh -c "$command" | head -c "$n"
        echo 'Connection to there closed by remote host.' >&2; exit 255
    fi ;;
*'tool=$t/'*)
    if [ -f "$here/cut-early" ]; then
        rm "$here/cut-early"
        echo 'Connection to there closed by remote host.' >&2; exit 255
    fi ;;
*) [ ! -f "$here/noise" ] || cat "$here/noise" ;;
esac
exec sh -c "$command"
)sh";

// Makes of each file a "digest" with its content, and merges by putting them one behind another. Logs are packed in the
// same way.
constexpr const char* kTool = R"sh(#!/bin/sh
case "$1 $2" in
--help*) printf 'Subcommands:\n  digest  Make\n  companions   Pack\n' ;;
'digest --help') exit 0 ;;
companions*)
    printf 'packed\n'
    cat "$2"/*.log >"$4" 2>/dev/null || { rm -f "$4"; echo 'rankscope-cli: there are none' >&2; exit 3; }
    [ ! -f "$2/big" ] || { printf 'rankscope-cli: %s: left out\n' 'a.log' 'b  c.log' >&2; exit 4; } ;;
digest*)
    n=0; mkdir -p "$4"
    for f in "$2"/*; do
        case $f in *.digest | *.log | *'*') continue ;; esac
        cp "$f" "$4/${f##*/}.digest"; echo "$f done"; n=1
    done
    [ $n -eq 1 ] || { echo 'nothing could be read' >&2; exit 3; }
    [ ! -f "$2/broken" ] || { echo 'broken: is no trace' >&2; exit 4; } ;;
merge*)
    shift; all=
    while [ "$1" != -o ]; do all="$all $(find "$1" -name '*.digest' | sed 's/ /?/g' | sort)"; shift; done
    cat $all >"$2" ;;
esac
)sh";

/// A static program by its first bytes, that no machine runs.
std::string programOfNothing() {
    Elf64_Ehdr header{};
    std::memcpy(header.e_ident, ELFMAG, SELFMAG);
    header.e_ident[EI_CLASS] = ELFCLASS64;
    header.e_phoff = sizeof header;
    header.e_phnum = 1;
    const Elf64_Phdr segment{};
    std::string program(reinterpret_cast<const char*>(&header), sizeof header);
    program.append(reinterpret_cast<const char*>(&segment), sizeof segment);
    return program;
}

class FetchDigests : public testing::Test {
  protected:
    FetchDigests() {
        program("ssh", kSsh);
        program("bin/rankscope-cli", kTool);
        for (const char* const folder : {"home", "tmp"}) {
            std::filesystem::create_directories(there / folder);
        }
        (void)scratch.write("there/run a/rank0", "zero ");
        (void)scratch.write("there/run a/rank1", std::string(5'000, 'x'));
        options.ssh = {(there / "ssh").string()};
        options.cache_folder = (scratch.path() / "cache").string();
        options.on_progress = [this](std::string_view words) { told += std::string(words) + "\n"; };
    }

    void program(const std::string& name, const std::string& text) const {
        const std::string path = scratch.write("there/" + name, text);
        std::filesystem::permissions(path, std::filesystem::perms::owner_all);
    }
    void set(const std::string& name, const std::string& text) const { (void)scratch.write("there/" + name, text); }

    [[nodiscard]] Result<FetchedDigests> fetch() const {
        return fetchDigests({{}, "there", {}, (there / "run a").string()}, options);
    }
    [[nodiscard]] std::string why() const {
        const Result<FetchedDigests> result = fetch();
        return result.ok() ? "nothing" : result.error().text();
    }
    [[nodiscard]] std::string commands() const { return contentOf(there / "commands"); }

    TempFolder scratch;
    std::filesystem::path there = scratch.path() / "there";
    RemoteOptions options;
    std::string told;
};

TEST_F(FetchDigests, AreMadeThereAndCopiedHere) {
    const Result<FetchedDigests> result = fetch();
    ASSERT_TRUE(result.ok()) << result.error().text();
    EXPECT_EQ(contentOf(result.value().path), "zero " + std::string(5'000, 'x'));
    EXPECT_EQ(std::filesystem::path(result.value().path).filename(), "run a.digest");
    EXPECT_EQ(result.value().bytes, 5'005U);
    EXPECT_EQ(result.value().copied, 5'005U);
    EXPECT_THAT(result.value().companions, IsEmpty());
    EXPECT_THAT(result.value().remarks, IsEmpty());
    EXPECT_THAT(told, HasSubstr("rank1 done"));
}

TEST_F(FetchDigests, AreNotCopiedAgainWhereTheyAreHereAlready) {
    ASSERT_TRUE(fetch().ok());
    const Result<FetchedDigests> again = fetch();
    ASSERT_TRUE(again.ok());
    EXPECT_EQ(again.value().copied, 0U);
    EXPECT_EQ(again.value().bytes, 5'005U);
}

TEST_F(FetchDigests, OfAChangedRunAreCopiedAndTheOldOnesGo) {
    const Result<FetchedDigests> first = fetch();
    ASSERT_TRUE(first.ok());
    set("run a/rank0", "other ");
    const Result<FetchedDigests> second = fetch();
    ASSERT_TRUE(second.ok());
    EXPECT_THAT(contentOf(second.value().path), HasSubstr("other "));
    EXPECT_FALSE(std::filesystem::exists(first.value().path));
}

TEST_F(FetchDigests, OfTracesThatAreGoneAreGoneToo) {
    ASSERT_TRUE(fetch().ok());
    std::filesystem::remove(there / "run a/rank1");
    const Result<FetchedDigests> result = fetch();
    ASSERT_TRUE(result.ok()) << result.error().text();
    EXPECT_EQ(contentOf(result.value().path), "zero ");
}

TEST_F(FetchDigests, ThatLieThereAreTakenWithThoseThatAreMade) {
    set("run a/rank7.digest", "seven");
    const Result<FetchedDigests> result = fetch();
    ASSERT_TRUE(result.ok()) << result.error().text();
    EXPECT_EQ(contentOf(result.value().path).size(), 5'010U);
    std::filesystem::remove(there / "run a/rank0");
    std::filesystem::remove(there / "run a/rank1");
    const Result<FetchedDigests> alone = fetch();
    ASSERT_TRUE(alone.ok()) << alone.error().text();
    EXPECT_EQ(contentOf(alone.value().path), "seven");
}

TEST_F(FetchDigests, ThatAreOneFileAreCopiedAsItIsWithoutAnyTool) {
    set("job.digest", "the whole job");
    std::filesystem::remove(there / "bin/rankscope-cli");
    const Result<FetchedDigests> result = fetchDigests({{}, "there", {}, (there / "job.digest").string()}, options);
    ASSERT_TRUE(result.ok()) << result.error().text();
    EXPECT_EQ(contentOf(result.value().path), "the whole job");
    EXPECT_EQ(std::filesystem::path(result.value().path).filename(), "job.digest");
}

TEST_F(FetchDigests, GoOnWhereACopyWasCutOff) {
    set("cut", "1000");
    const Result<FetchedDigests> result = fetch();
    ASSERT_TRUE(result.ok()) << result.error().text();
    EXPECT_EQ(contentOf(result.value().path).size(), 5'005U);
    EXPECT_THAT(commands(), HasSubstr("tail -c +1001 "));
}

TEST_F(FetchDigests, TellHowMuchIsCopied) {
    ASSERT_TRUE(fetch().ok());
    EXPECT_THAT(told, HasSubstr("copying 5.01 kB from there"));
    EXPECT_THAT(told, HasSubstr(" of 5.01 kB from there"));
}

TEST_F(FetchDigests, OfWhichAllFailedGiveTheCauseAndNotTheCountOfFailures) {
    program("bin/rankscope-cli",
            "#!/bin/sh\n[ \"$2\" != --help ] || exit 0\n"
            "echo 'rankscope-cli: /run/rank0: is not JSON' >&2; echo 'rankscope-cli: /run/rank1: is empty' >&2\n"
            "echo '2 files: 0 made, 0 up to date, 2 failed' >&2; exit 3\n");
    EXPECT_THAT(why(), HasSubstr("/run/rank0: is not JSON (and 1 more)"));
}

TEST_F(FetchDigests, GoOnInALaterCallWhereEveryTryWasCutOff) {
    set("cut", "1000");
    set("always", "");
    EXPECT_THAT(why(), HasSubstr("broke off, with 4000 of 5005 bytes copied"));
    std::filesystem::remove(there / "cut");
    const Result<FetchedDigests> later = fetch();
    ASSERT_TRUE(later.ok()) << later.error().text();
    EXPECT_EQ(later.value().copied, 1'005U);
    EXPECT_EQ(contentOf(later.value().path).size(), 5'005U);
}

TEST_F(FetchDigests, ThatCameOutOtherThanTheyAreThereAreNotUsed) {
    set("cut", "1000");
    set("always", "");
    ASSERT_FALSE(fetch().ok());
    for (const auto& entry : std::filesystem::recursive_directory_iterator(options.cache_folder)) {
        if (entry.path().extension() == ".part") {
            std::ofstream(entry.path(), std::ios::app) << std::string(5'000, 'y');
        }
    }
    EXPECT_THAT(why(), HasSubstr("differs"));
    std::filesystem::remove(there / "cut");
    const Result<FetchedDigests> anew = fetch();
    ASSERT_TRUE(anew.ok());
    EXPECT_EQ(contentOf(anew.value().path), "zero " + std::string(5'000, 'x'));
}

TEST_F(FetchDigests, DoNotMindWhatAShellPrintsWhenItStarts) {
    set("noise", "Welcome!\nthere\n0\n");
    EXPECT_TRUE(fetch().ok());
}

TEST_F(FetchDigests, OfAPathThatIsNotThereSayWhichHostHasNone) {
    std::filesystem::remove_all(there / "run a");
    EXPECT_THAT(why(), HasSubstr("there has no " + (there / "run a").string()));
}

TEST_F(FetchDigests, OfFilesThatThereIsNothingInGiveTheToolsOwnWords) {
    std::filesystem::remove_all(there / "run a");
    std::filesystem::create_directories(there / "run a");
    EXPECT_THAT(why(), HasSubstr("nothing could be read"));
}

TEST_F(FetchDigests, TellWhatTheToolCouldNotRead) {
    set("run a/broken", "");
    const Result<FetchedDigests> result = fetch();
    ASSERT_TRUE(result.ok()) << result.error().text();
    EXPECT_THAT(result.value().remarks, ElementsAre("broken: is no trace"));
}

TEST_F(FetchDigests, ComeWithTheLogsAndDumpsThatArePackedThere) {
    set("run a/it's \"one\" $(touch hacked)\n.log", "NCCL ");
    const Result<FetchedDigests> result = fetch();
    ASSERT_TRUE(result.ok()) << result.error().text();
    EXPECT_EQ(contentOf(result.value().path), "zero " + std::string(5'000, 'x'));
    EXPECT_EQ(contentOf(result.value().companions), "NCCL ");
    EXPECT_EQ(std::filesystem::path(result.value().companions).filename(), "run a.companions.zip");
    EXPECT_EQ(result.value().bytes, 5'010U);
    EXPECT_EQ(result.value().copied, 5'010U);
    EXPECT_THAT(result.value().remarks, IsEmpty());
    const Result<FetchedDigests> again = fetch();
    ASSERT_TRUE(again.ok());
    EXPECT_EQ(again.value().copied, 0U);
    EXPECT_EQ(again.value().companions, result.value().companions);
}

TEST_F(FetchDigests, LoseTheLogsThatAreGone) {
    set("run a/one.log", "NCCL ");
    const Result<FetchedDigests> first = fetch();
    ASSERT_TRUE(first.ok());
    std::filesystem::remove(there / "run a/one.log");
    const Result<FetchedDigests> second = fetch();
    ASSERT_TRUE(second.ok());
    EXPECT_THAT(second.value().companions, IsEmpty());
    EXPECT_FALSE(std::filesystem::exists(first.value().companions));
    EXPECT_EQ(second.value().path, first.value().path);
}

TEST_F(FetchDigests, NameTheLogsThatAreLeftOut) {
    set("run a/one.log", "NCCL ");
    set("run a/big", "");
    const Result<FetchedDigests> result = fetch();
    ASSERT_TRUE(result.ok()) << result.error().text();
    EXPECT_EQ(contentOf(result.value().companions), "NCCL ");
    EXPECT_THAT(result.value().remarks, ElementsAre("a.log: left out", "b  c.log: left out"));
}

TEST_F(FetchDigests, OfAToolThatIsTooOldToPackLogsSaySo) {
    set("run a/one.log", "NCCL ");
    std::string old = kTool;
    old.erase(old.find("companions   Pack"), 10);
    program("bin/rankscope-cli", old);
    const Result<FetchedDigests> result = fetch();
    ASSERT_TRUE(result.ok()) << result.error().text();
    EXPECT_EQ(contentOf(result.value().path), "zero " + std::string(5'000, 'x'));
    EXPECT_THAT(result.value().companions, IsEmpty());
    ASSERT_EQ(result.value().remarks.size(), 1U);
    EXPECT_THAT(result.value().remarks[0], HasSubstr("the rankscope-cli on there is too old to pack them"));
}

TEST_F(FetchDigests, OfAFolderOfLogsAreNoneAndTheLogsCome) {
    std::filesystem::remove_all(there / "run a");
    set("run a/one.log", "NCCL ");
    const Result<FetchedDigests> result = fetch();
    ASSERT_TRUE(result.ok()) << result.error().text();
    EXPECT_THAT(result.value().path, IsEmpty());
    EXPECT_EQ(contentOf(result.value().companions), "NCCL ");
    EXPECT_THAT(result.value().remarks, IsEmpty()) << "logs alone are no error";
}

TEST_F(FetchDigests, WithoutCompanionsPackNone) {
    set("run a/one.log", "NCCL ");
    options.companions = false;
    const Result<FetchedDigests> result = fetch();
    ASSERT_TRUE(result.ok()) << result.error().text();
    EXPECT_THAT(result.value().companions, IsEmpty());
    EXPECT_THAT(commands(), Not(HasSubstr("companions")));
}

TEST_F(FetchDigests, AreNotMadeWhereOnlyCompanionsAreWanted) {
    set("run a/one.log", "NCCL ");
    ASSERT_TRUE(fetch().ok());
    std::filesystem::remove(there / "commands");
    options.digests = false;
    const Result<FetchedDigests> result = fetch();
    ASSERT_TRUE(result.ok()) << result.error().text();
    EXPECT_THAT(result.value().path, IsEmpty());
    EXPECT_EQ(contentOf(result.value().companions), "NCCL ");
    EXPECT_THAT(result.value().remarks, IsEmpty());
    EXPECT_THAT(commands(), Not(HasSubstr("digest \"$p\"")));
    std::filesystem::remove(there / "run a/one.log");
    EXPECT_THAT(why(), HasSubstr("rankscope-cli on there found no dumps or logs in "));
}

TEST_F(FetchDigests, ThatAreOneFileComeWithTheArchiveNextToIt) {
    set("job.digest", "the whole job");
    set("job.companions.zip", "its logs");
    std::filesystem::remove(there / "bin/rankscope-cli");
    const Result<FetchedDigests> result = fetchDigests({{}, "there", {}, (there / "job.digest").string()}, options);
    ASSERT_TRUE(result.ok()) << result.error().text();
    EXPECT_EQ(contentOf(result.value().path), "the whole job");
    EXPECT_EQ(contentOf(result.value().companions), "its logs");
}

TEST_F(FetchDigests, GoOnWithTheLogsWhereTheirCopyWasCutOff) {
    set("run a/one.log", std::string(7'000, 'n'));
    ASSERT_TRUE(fetch().ok());
    set("run a/one.log", std::string(8'000, 'm'));
    set("cut", "1000");
    const Result<FetchedDigests> result = fetch();
    ASSERT_TRUE(result.ok()) << result.error().text();
    EXPECT_EQ(contentOf(result.value().companions), std::string(8'000, 'm'));
    EXPECT_THAT(commands(), HasSubstr("tail -c +1001 "));
}

TEST_F(FetchDigests, OfSeveralPathsTakeThePlaceOfTheirPath) {
    set("run a/one.log", "NCCL ");
    const FetchedPaths paths = fetchPaths({"/here", "ssh://there" + (there / "run a").string(), "ssh://-x/y"}, options);
    ASSERT_EQ(paths.paths.size(), 3U);
    EXPECT_EQ(paths.paths[0], "/here");
    EXPECT_THAT(paths.paths[1], HasSubstr("run a.digest"));
    EXPECT_THAT(paths.paths[2], HasSubstr("run a.companions.zip"));
    ASSERT_EQ(paths.failed.size(), 1U);
    EXPECT_EQ(paths.failed[0].path, "ssh://-x/y");
}

TEST_F(FetchDigests, OfAHostThatCannotBeReachedSayWhy) {
    set("refuse", "Host key verification failed.\n");
    EXPECT_THAT(why(), HasSubstr("key of there is not known"));
}

TEST_F(FetchDigests, WithoutATool) {
    std::filesystem::remove(there / "bin/rankscope-cli");
    EXPECT_THAT(why(), HasSubstr("no static one here to send"));
    options.static_tool = "/bin/sh";
    EXPECT_THAT(why(), HasSubstr("is not a static program"));
}

TEST_F(FetchDigests, SendAToolAgainWhereTheConnectionBrokeOffBeforeItSaidAnything) {
    std::filesystem::remove(there / "bin/rankscope-cli");
    options.static_tool = scratch.write("rankscope-cli-static", programOfNothing());
    set("cut-early", "");
    EXPECT_THAT(why(), HasSubstr("does not run on there"));  // it came through the second time
    EXPECT_FALSE(std::filesystem::exists(there / "cut-early"));
}

TEST_F(FetchDigests, WithAToolThatDoesNotRunThereLeaveNothingOfItBehind) {
    std::filesystem::remove(there / "bin/rankscope-cli");
    options.static_tool = scratch.write("rankscope-cli-static", programOfNothing());
    ASSERT_TRUE(isStaticProgram(options.static_tool));
    EXPECT_THAT(why(), HasSubstr("does not run on there"));
    EXPECT_TRUE(std::filesystem::is_empty(there / "tmp"));
}

}  // namespace
}  // namespace rankscope::test
