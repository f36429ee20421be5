// SPDX-License-Identifier: GPL-3.0-or-later
//
// Snapshots of PyTorch's allocator: what Python writes is read, and what is more than plain data is not run.

#include "tests/support/memory_snapshot.h"
#include "core/ingest/kineto/identity.h"
#include "core/ingest/pickle/read_pickle.h"
#include "core/ingest/snapshot/load_snapshot.h"
#include "tests/support/memory_stream.h"
#include "tests/support/random.h"
#include "tests/support/testing.h"

namespace rankscope::test {
namespace {

using namespace std::string_literals;

constexpr std::int64_t kMib = 1 << 20;

std::string written(const TempFolder& folder, const std::vector<std::string>& options) {
    return writeSnapshot(folder, "snapshot.pickle", options);
}

Result<MemorySnapshot> read(const std::string& bytes) {
    MemoryStream stream(bytes);
    return readSnapshot(stream, "s.pickle");
}

std::string errorOf(const std::string& bytes) {
    const Result<MemorySnapshot> result = read(bytes);
    return result.failed() ? result.error().text() : "was read";
}

/// A pickle of protocol 2 that is this program.
std::string program(const std::string& opcodes) {
    return "\x80\x02"s + opcodes;
}

TEST(MemorySnapshotFile, OfEachProtocolIsReadAlike) {
    for (const std::string protocol : {"2", "3", "4", "5"}) {
        const TempFolder folder;
        const Result<MemorySnapshot> result = loadSnapshot(written(folder, {"--protocol", protocol}));
        ASSERT_TRUE(result.ok()) << protocol << ": " << result.error().text();
        const MemorySnapshot& snapshot = result.value();
        ASSERT_EQ(snapshot.segments.size(), 3U);
        EXPECT_EQ(snapshot.segments[0].total, 20 * kMib);
        EXPECT_EQ(snapshot.segments[0].address, 0x7F0000000000U);
        EXPECT_EQ(snapshot.strings.view(snapshot.segments[1].pool), "small");
        EXPECT_TRUE(snapshot.segments[2].private_pool);
        EXPECT_TRUE(snapshot.segments[2].expandable);
        ASSERT_EQ(snapshot.blocks.size(), 7U);
        EXPECT_EQ(snapshot.blocks[1].state, BlockState::Allocated);
        EXPECT_EQ(snapshot.blocks[1].bytes, 4 * kMib);
        EXPECT_EQ(snapshot.blocks[1].address, 0x7F0000000000U + 8 * kMib);
        EXPECT_EQ(snapshot.blocks[2].state, BlockState::Inactive);
        EXPECT_EQ(snapshot.blocks[3].state, BlockState::PendingFree);
        EXPECT_EQ(snapshot.blocks[4].requested, 400);
        EXPECT_EQ(snapshot.blocks[2].stack, 0U);
        const std::vector<std::uint32_t>& stack = snapshot.stacks[snapshot.blocks[1].stack];
        ASSERT_EQ(stack.size(), 5U);
        EXPECT_EQ(snapshot.strings.view(snapshot.frames[stack[0]].function), "_engine_run_backward");
        EXPECT_EQ(snapshot.frames[stack[0]].line, 769);
        ASSERT_EQ(snapshot.history.size(), 1U);
        ASSERT_EQ(snapshot.history[0].size(), 8U);
        EXPECT_EQ(snapshot.history[0][6].action, AllocatorAction::OutOfMemory);
        EXPECT_EQ(snapshot.history[0][6].address, 5U * kMib);
        EXPECT_EQ(snapshot.history[0][7].action, AllocatorAction::Other);
        EXPECT_EQ(snapshot.settings.front().second, "expandable_segments:False");
    }
}

TEST(MemorySnapshotFile, SharesOneStackAmongTheBlocksThatHaveIt) {
    const TempFolder folder;
    const Result<MemorySnapshot> result = loadSnapshot(written(folder, {"--blocks", "3000", "--entries", "3000"}));
    ASSERT_TRUE(result.ok());
    EXPECT_EQ(result.value().blocks.size(), 3007U);
    EXPECT_EQ(result.value().history.at(1).size(), 3000U);
    EXPECT_EQ(result.value().stacks.size(), 5U);  // nobody's, and four
}

TEST(MemorySnapshotFile, MayBeTheListOfSegmentsAloneOrOfAnOlderForm) {
    const TempFolder folder;
    const Result<MemorySnapshot> list = loadSnapshot(written(folder, {"--form", "list"}));
    ASSERT_TRUE(list.ok());
    EXPECT_EQ(list.value().segments.size(), 3U);
    EXPECT_TRUE(list.value().history.empty());
    const Result<MemorySnapshot> old = loadSnapshot(written(folder, {"--form", "old"}));
    ASSERT_TRUE(old.ok());
    EXPECT_EQ(old.value().blocks.at(4).requested, 400);
    EXPECT_NE(old.value().blocks.at(0).stack, 0U);
}

TEST(MemorySnapshotFile, MayBePacked) {
    const TempFolder folder;
    const std::string bytes = contentOf(written(folder, {}));
    for (const std::string& packed : {gzip(bytes), zstd(bytes)}) {
        const std::string path = folder.write("packed", packed);
        EXPECT_TRUE(isMemorySnapshot(path));
        EXPECT_TRUE(loadSnapshot(path).ok());
    }
    EXPECT_FALSE(isMemorySnapshot(folder.write("trace.json", "{\"traceEvents\": []}")));
    EXPECT_FALSE(isMemorySnapshot((folder.path() / "not there").string()));
}

TEST(PickleReader, RunsNothingAndSaysWhichOpcodeItRefusesAndWhere) {
    // os.system("..."), in the ways that pickles have to say it.
    EXPECT_EQ(errorOf(program("cos\nsystem\n(X\x04\0\0\0trueltR."s)),
              "s.pickle, byte 2: the opcode GLOBAL (0x63) is more than plain data; nothing of it was run");
    EXPECT_THAT(errorOf("\x80\x04\x8c\x02os\x8c\x06system\x93."s), HasSubstr("byte 14: the opcode STACK_GLOBAL"));
    const std::vector<std::pair<std::string, std::string>> refused = {{"R", "REDUCE"},
                                                                      {"b", "BUILD"},
                                                                      {"ios\nsystem\n", "INST"},
                                                                      {"o", "OBJ"},
                                                                      {"\x81", "NEWOBJ"},
                                                                      {"\x92", "NEWOBJ_EX"},
                                                                      {"P1\n", "PERSID"},
                                                                      {"Q", "BINPERSID"},
                                                                      {"\x82\x01", "EXT1"},
                                                                      {"\x83\x01\x01", "EXT2"},
                                                                      {"\x84", "EXT4"},
                                                                      {"\x97", "NEXT_BUFFER"},
                                                                      {"\x98", "READONLY_BUFFER"},
                                                                      {"\x8f", "EMPTY_SET"},
                                                                      {"I01\n", "INT"}};
    for (const auto& [opcode, name] : refused) {
        EXPECT_THAT(errorOf(program("NN" + opcode + ".")), HasSubstr("byte 4: the opcode " + name + " (")) << name;
    }
    EXPECT_THAT(errorOf(program("\xff.")), HasSubstr("byte 2: 0xff is not a pickle opcode"));
}

TEST(PickleReader, RefusesOtherFilesAndOtherProtocols) {
    EXPECT_THAT(errorOf("(dp0\n."), HasSubstr("is not a pickle of protocol 2 or later"));
    EXPECT_THAT(errorOf("\x80\x06N."), HasSubstr("protocol 6; only 2 to 5 can be read"));
    EXPECT_THAT(errorOf(""), HasSubstr("cut"));
}

TEST(PickleReader, CutAnywhereSaysSo) {
    const TempFolder folder;
    const std::string bytes = contentOf(written(folder, {"--protocol", "4"}));
    ASSERT_TRUE(read(bytes).ok());
    EXPECT_TRUE(read(bytes + "\0\0\0"s).ok()) << "what follows the end does not count";
    for (std::size_t size = 0; size < bytes.size(); size += 7) {
        EXPECT_THAT(errorOf(bytes.substr(0, size)), HasSubstr("is cut off")) << size;
    }
}

TEST(PickleReader, TakesNoMemoryForLengthsThatAreOnlyClaimed) {
    EXPECT_THAT(errorOf(program("\x8d\xff\xff\xff\xff\xff\xff\xff\x7fshort")), HasSubstr("is cut off"));
    EXPECT_THAT(errorOf(program("X\xff\xff\xff\xffshort")), HasSubstr("is cut off"));
    EXPECT_THAT(errorOf(program("\x8b\xff\xff\xff\x7fshort")), HasSubstr("is cut off"));
    EXPECT_THAT(errorOf(program("\x8b\xff\xff\xff\xff")), HasSubstr("negative length"));
    EXPECT_THAT(errorOf(program("\x8e\xff\xff\xff\xff\xff\xff\xff\xffshort")), HasSubstr("is cut off"));
}

TEST(PickleReader, RefusesProgramsThatUseMissingValues) {
    for (const char* opcodes : {".",
                                "0.",
                                "1.",
                                "2.",
                                "e.",
                                "u.",
                                "t.",
                                "a.",
                                "Na.",
                                "NNs.",
                                "N(e.",
                                "](Nu.",
                                "}(Nu.",
                                "\x85.",
                                "h\x01.",
                                "j\xff\xff\xff\xff.",
                                "Nr\xff\xff\xff\x7f.",
                                "(.",
                                "(a.",
                                "](a."}) {
        EXPECT_THAT(errorOf(program(opcodes)), testing::Not("was read")) << opcodes;
    }
}

TEST(PickleReader, AcceptsListsThatContainThemselvesAndEachOther) {
    // A list that is its own only item; as segments, as blocks of one, and as the frames of a block.
    EXPECT_THAT(errorOf(program("]q\0h\0a."s)), HasSubstr("a segment is not a dict of its own"));
    const auto key = [](const std::string& text) {
        return "U" + std::string(1, static_cast<char>(text.size())) + text;
    };
    const std::string segment = "]}(" + key("total_size") + "K\x01" + key("blocks");
    EXPECT_THAT(errorOf(program(segment + "]q\0h\0aua."s)), HasSubstr("a block is not a dict of its own"));
    const std::string block = "]}(" + key("size") + "K\x01" + key("frames");
    const Result<MemorySnapshot> own_frames = read(program(segment + block + "]q\0h\0auaua."s));
    ASSERT_TRUE(own_frames.ok()) << own_frames.error().text();
    EXPECT_EQ(own_frames.value().blocks.at(0).stack, 0U);
    // 40 lists, each with the one before it twice: 2^40 items to whoever walks through them.
    std::string doubled = "]q\0"s;
    for (char i = 0; i < 40; ++i) {
        doubled += "](h"s + i + "h"s + i + "eq"s + static_cast<char>(i + 1);
    }
    EXPECT_THAT(errorOf(program(doubled + ".")), HasSubstr("a segment is not a dict of its own"));
}

TEST(PickleReader, RefusesTheSameBlockInTwoPlaces) {
    const auto key = [](const std::string& text) {
        return "U" + std::string(1, static_cast<char>(text.size())) + text;
    };
    const std::string segment = "}q\0("s + key("total_size") + "K\x01u";
    EXPECT_TRUE(read(program("](" + segment + "e.")).ok());
    EXPECT_THAT(errorOf(program("](" + segment + "h\0e."s)), HasSubstr("a segment is not a dict of its own"));
}

TEST(PickleReader, RefusesMoreMemoryThanThereCanBe) {
    const auto key = [](const std::string& text) {
        return "U" + std::string(1, static_cast<char>(text.size())) + text;
    };
    std::string segments = "](";
    for (int i = 0; i < 2000; ++i) {
        segments += "}(" + key("total_size") + "\x8a\x07\0\0\0\0\0\0\x04u"s;  // 2^50
    }
    EXPECT_THAT(errorOf(program(segments + "e.")), HasSubstr("more memory than possible"));
}

TEST(PickleReader, AcceptsContainersAHundredThousandDeep) {
    const std::string deep(100'000, ']');
    EXPECT_THAT(errorOf(program(deep + std::string(99'999, 'a') + ".")),
                HasSubstr("a segment is not a dict of its own"));
}

TEST(PickleReader, BoundsWhatASmallFileMayCost) {
    const std::string lists = program(std::string(4 << 20, ']') + ".");
    MemoryStream stream(lists);
    const Result<PickleData> result = readPickle(stream, "s.pickle", {.times = 2, .spare_bytes = 1 << 16});
    ASSERT_TRUE(result.failed());
    EXPECT_THAT(result.error().text(), HasSubstr("far more memory than its size"));
}

TEST(PickleReader, ReadsNumbersOfAllWidths) {
    const std::string numbers = program(
        "(K\xffM\xff\xffJ\xfe\xff\xff\xff\x8a\x00\x8a\x01\xff\x8a\x08\xff\xff\xff\xff\xff\xff\xff\x7f"
        "\x8a\x09\xff\xff\xff\xff\xff\xff\xff\xff\x00\x8a\x0a\0\0\0\0\0\0\0\0\0\x01G?\xf8\0\0\0\0\0\0\x88t."s);
    MemoryStream stream(numbers);
    const Result<PickleData> result = readPickle(stream, "s.pickle");
    ASSERT_TRUE(result.ok()) << result.error().text();
    const PickleData& data = result.value();
    std::vector<std::optional<std::int64_t>> read;
    std::optional<double> real;
    data.each(data.root, [&](PickleValue value) {
        read.push_back(data.integer(value));
        real = value.kind() == PickleKind::Real ? data.real(value) : real;
        return true;
    });
    EXPECT_THAT(read, testing::ElementsAre(255, 65535, -2, 0, -1, INT64_MAX, -1, std::nullopt, std::nullopt, 1));
    EXPECT_EQ(real, 1.5);
}

TEST(PickleReader, SurvivesAnyChange) {
    const TempFolder folder;
    int refused = 0;
    for (const std::string protocol : {"2", "4"}) {
        const std::string sound = contentOf(written(folder, {"--protocol", protocol}));
        for (std::uint64_t seed = 0; seed < 4000; ++seed) {
            Random draw(seed);
            std::string bytes = sound;
            for (std::size_t changes = 1 + draw.below(4); changes > 0; --changes) {
                bytes[draw.below(bytes.size())] = static_cast<char>(draw.below(256));
            }
            if (draw.below(8) == 0) {
                bytes.erase(draw.below(bytes.size()), draw.below(40));
            }
            refused += read(bytes).ok() ? 0 : 1;
        }
    }
    EXPECT_GT(refused, 1000);
}

TEST(MemorySnapshotFile, IsNamedForItsRank) {
    EXPECT_EQ(rankByName("rank12_memory_snapshot.pickle"), RankNumber(12));
    EXPECT_EQ(rankByName("snapshot-rank_3.pickle"), RankNumber(3));
    EXPECT_EQ(rankByName("frank3.pickle"), std::nullopt);
    EXPECT_EQ(rankByName("snapshot.pickle"), std::nullopt);
}

}  // namespace
}  // namespace rankscope::test
