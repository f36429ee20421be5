// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ingest/files/archive.h"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <optional>
#include <ranges>
#include <utility>

#include "core/ingest/files/input_file.h"
#include "core/ingest/files/packed_streams.h"
#include "core/ingest/files/text_pool.h"

namespace rankscope {
namespace {

using namespace std::string_view_literals;

constexpr auto kZipEnding = ".zip"sv;
constexpr std::array kTarEndings = {".tar"sv, ".tar.gz"sv, ".tgz"sv, ".tar.zst"sv};

bool isTarName(std::string_view name) {
    return std::ranges::any_of(kTarEndings, [&](std::string_view ending) { return name.ends_with(ending); });
}

/// The place of a member: as found before, or by its name.
Result<ArchiveMember> placeOf(const FileSource& file) {
    if (file.place) {
        return *file.place;
    }
    const Result<ArchiveDirectory> directory = readArchiveDirectory(file.path);
    if (!directory.ok()) {
        return directory.error();
    }
    const auto newest_first = std::views::reverse(directory.value().members);
    const auto member = std::ranges::find(newest_first, file.member, &ArchiveMember::name);
    if (member == newest_first.end()) {
        return Error{file.name(), std::nullopt, "is not in the archive"};
    }
    return *member;
}

/// How to find bytes of a member again, whose text is itself packed as `inner`.
SeekIndex indexOf(const ArchiveMember& member, Packing inner) {
    SeekIndex index;
    index.packing = member.packing;
    index.inner = inner;
    index.data_start = member.data_start;
    index.data_end = member.data_end;
    index.around = member.around;
    return index;
}

/// Opens a member of a compressed tar.
Result<std::unique_ptr<ByteStream>> openInText(const std::string& path, const ArchiveMember& member) {
    Result<std::unique_ptr<ByteStream>> text =
        member.pool ? member.pool->openAt(member.data_start) : member.around->openAt(path, member.data_start);
    if (!text.ok()) {
        return text;
    }
    auto range = std::make_unique<RangeStream>(std::move(text).value(), member.data_end - member.data_start,
                                               indexOf(member, Packing::Plain));
    const Packing inner = range->peekPacking();
    std::unique_ptr<ByteStream> stream = std::move(range);
    if (inner != Packing::Plain) {
        stream = std::make_unique<TwicePackedStream>(std::move(stream), indexOf(member, inner));
    }
    return stream;
}

/// The packing of a member's text: Plain if it is not packed.
Result<Packing> innerPacking(const std::string& path, const ArchiveMember& member) {
    const Result<std::unique_ptr<ByteStream>> text = indexOf(member, Packing::Plain).openAt(path, 0);
    if (!text.ok()) {
        return text.error();
    }
    std::array<char, 4> bytes{};
    return packingOf({bytes.data(), text.value()->read(bytes)});
}

}  // namespace

bool isArchiveName(std::string_view name) {
    return name.ends_with(kZipEnding) || isTarName(name);
}

Result<ArchiveDirectory> readArchiveDirectory(const std::string& path) {
    return isTarName(path) ? readTarDirectory(path) : readZipDirectory(path);
}

std::vector<std::size_t> shareTexts(std::vector<FileSource>& files) {
    std::map<std::shared_ptr<const SeekIndex>, std::shared_ptr<TextPool>> pools;
    std::vector<std::size_t> order(files.size());
    std::iota(order.begin(), order.end(), 0);
    for (FileSource& file : files) {
        if (file.place && file.place->around) {
            std::shared_ptr<TextPool>& pool = pools[file.place->around];
            pool = pool ? pool : std::make_shared<TextPool>(file.path, file.place->around);
            auto place = std::make_shared<ArchiveMember>(*file.place);
            place->pool = pool;
            file.place = std::move(place);
        }
    }
    if (!pools.empty()) {
        std::ranges::stable_sort(order, {}, [&files](std::size_t i) {
            const FileSource& file = files[i];
            return std::pair(file.path, file.place ? file.place->data_start : 0);
        });
    }
    return order;
}

Result<std::unique_ptr<ByteStream>> openPackedMember(const std::string& path, const ArchiveMember& member) {
    ArchiveMember as_stored = member;
    as_stored.packing = Packing::Stored;
    return indexOf(as_stored, Packing::Plain).openAt(path, 0);
}

Result<std::unique_ptr<ByteStream>> openArchiveMember(const FileSource& file) {
    const Result<ArchiveMember> place = placeOf(file);
    if (!place.ok()) {
        return place.error();
    }
    const ArchiveMember& member = place.value();
    if (!member.supported) {
        return Error{file.name(), std::nullopt, "is encrypted, sparse or compressed in a way that is not supported"};
    }
    if (member.around) {
        return openInText(file.path, member);
    }
    const Result<Packing> inner = innerPacking(file.path, member);
    if (!inner.ok()) {
        return inner.error();
    }
    SeekIndex index = indexOf(member, inner.value());
    if (member.packing == Packing::Stored && inner.value() != Packing::Plain) {
        index.packing = inner.value();  // a file in the archive exactly as on disk
        index.inner = Packing::Plain;
    }
    return index.openAt(file.path, 0);
}

}  // namespace rankscope
