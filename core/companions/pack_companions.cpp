// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/companions/pack_companions.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <memory>
#include <optional>
#include <set>
#include <system_error>
#include <utility>

#include "core/base/format.h"
#include "core/companions/find_companions.h"
#include "core/ingest/files/byte_stream.h"
#include "core/ingest/files/input_file.h"
#include "core/ingest/files/named_file.h"
#include "core/ingest/files/zip_writer.h"

namespace rankscope {
namespace {

namespace fs = std::filesystem;

/// A companion to pack.
struct ToPack {
    FileSource file;               ///< with the size of its content
    std::size_t* count = nullptr;  ///< of its kind
};

bool isSame(const std::string& a, const std::string& b) {
    std::error_code error;
    return fs::equivalent(a, b, error);
}

/// The size of a stream's content, up to just above `most`; an error if it is damaged.
Result<std::uint64_t> contentBytes(const std::string& name, std::uint64_t most) {
    const Result<std::unique_ptr<ByteStream>> opened = openBytes(name);
    if (!opened.ok()) {
        return opened.error();
    }
    constexpr std::size_t kPiece = std::size_t{1} << 18U;
    std::vector<char> buffer(kPiece);
    std::uint64_t bytes = 0;
    for (std::size_t got = kPiece; got == kPiece && bytes <= most;) {
        got = opened.value()->read(buffer);
        bytes += got;
    }
    const std::optional<std::string>& damage = opened.value()->damage();
    return damage ? Result<std::uint64_t>(Error{name, std::nullopt, *damage}) : Result(bytes);
}

/// The size of what is packed: of a file as it is on disk, of a member of an archive unpacked.
Result<std::uint64_t> bytesOf(const FileSource& file, std::uint64_t most) {
    if (!file.member.empty()) {
        return contentBytes(file.name(), most);
    }
    std::error_code error;
    const std::uintmax_t bytes = fs::file_size(file.path, error);
    return error ? Result<std::uint64_t>(Error{file.path, std::nullopt, "cannot be read: " + error.message()})
                 : Result(static_cast<std::uint64_t>(bytes));
}

/// The name of a file in the archive: below the folder `root`, without anything that leads out of it.
std::string memberName(const FileSource& file, const std::string& root, std::set<std::string>& taken) {
    std::error_code error;
    const bool is_folder = fs::is_directory(root, error);
    fs::path name = is_folder ? fs::path(file.path).lexically_relative(root) : fs::path(file.path).filename();
    if (!file.member.empty()) {
        name /= fs::path("/" + file.member).lexically_normal().relative_path();
    }
    std::string text = name.string();
    std::ranges::replace(text, '\0', '_');  // a name in a zip of minizip ends there
    const std::string first = text;
    for (int i = 2; !taken.insert(text).second; ++i) {
        text = first + "-" + std::to_string(i);
    }
    return text;
}

/// The companions at a path, those of `found` without the archive that is written.
CompanionFiles companionsAt(const std::string& path, const std::string& archive) {
    std::vector<std::string> paths{path};
    CompanionFiles found = takeNamedCompanions(paths);
    if (!paths.empty()) {
        Discovery traces = discoverRun(path, paths);
        std::erase_if(traces.members, [&](const FileSource& file) { return isSame(file.path, archive); });
        takeCompanionsInside(paths, traces, found);
    }
    return found;
}

Error leftOut(const FileSource& file, std::uint64_t most) {
    const bool is_known = file.member.empty() || file.bytes <= most;  // of a member no more than that was unpacked
    return {file.name(), std::nullopt,
            fmt::format("is left out: it has {}, and at most {} are packed",
                        is_known ? formatBytes(file.bytes) : "more than " + formatBytes(most), formatBytes(most))};
}

/// Removes what cannot be packed from `files`: unreadable ones, and the largest of too many.
void leaveOut(std::vector<ToPack>& files, std::uint64_t most, std::vector<Error>& left_out) {
    std::vector<Error> unreadable;
    std::erase_if(files, [&](ToPack& one) {
        const Result<std::uint64_t> bytes = bytesOf(one.file, most);
        one.file.bytes = bytes.ok() ? bytes.value() : 0;
        if (bytes.failed()) {
            unreadable.push_back(bytes.error());
        }
        return !bytes.ok();
    });
    std::ranges::stable_sort(files, {}, [](const ToPack& one) { return one.file.bytes; });
    std::uint64_t sum = 0;
    const auto first_left = std::ranges::find_if(files, [&](const ToPack& one) {
        const bool fits = one.file.bytes <= most - sum;
        sum += fits ? one.file.bytes : 0;
        return !fits;
    });
    for (auto at = files.end(); at != first_left;) {
        left_out.push_back(leftOut((--at)->file, most));
    }
    files.erase(first_left, files.end());
    std::ranges::move(unreadable, std::back_inserter(left_out));
}

/// The bytes of a file as it is on disk, or of a member of an archive unpacked.
Result<InputFile> openToPack(const FileSource& file) {
    if (file.member.empty()) {
        return InputFile::open(file.path);
    }
    Result<std::unique_ptr<ByteStream>> stream = openBytes(file.name());
    return stream.ok() ? Result(InputFile::over(std::move(stream).value())) : Result<InputFile>(stream.error());
}

}  // namespace

Result<PackedCompanions> packCompanions(const std::string& path, const std::string& archive, std::uint64_t most_bytes) {
    PackedCompanions packed;
    const CompanionFiles found = companionsAt(path, archive);
    std::vector<ToPack> files;
    const auto list = [&files](const std::vector<std::string>& names, std::size_t& count) {
        for (const std::string& name : names) {
            files.push_back({fileNamed(name), &count});
        }
    };
    list(found.snapshots, packed.snapshots);
    list(found.logs, packed.logs);
    list(found.dumps, packed.dumps);
    if (std::ranges::any_of(files, [&](const ToPack& one) { return isSame(one.file.path, archive); })) {
        return Error{archive, std::nullopt, "is one of the files to pack; name another"};
    }
    leaveOut(files, most_bytes, packed.left_out);
    if (files.empty()) {
        return packed;
    }
    Result<ZipWriter> zip = ZipWriter::create(archive);
    if (!zip.ok()) {
        return zip.error();
    }
    std::ranges::sort(files, {}, [](const ToPack& one) { return one.file.name(); });
    std::set<std::string> taken;
    for (const ToPack& one : files) {
        Result<InputFile> input = openToPack(one.file);
        if (!input.ok()) {
            packed.left_out.push_back(input.error());
            continue;
        }
        if (auto error = zip.value().add(memberName(one.file, path, taken), input.value(), one.file.bytes)) {
            return *error;
        }
        ++*one.count;
    }
    const Result<std::uint64_t> bytes = zip.value().finish();
    if (!bytes.ok()) {
        return bytes.error();
    }
    packed.bytes = bytes.value();
    return packed;
}

}  // namespace rankscope
