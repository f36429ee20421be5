// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/remote/copy_here.h"

#include <algorithm>
#include <optional>
#include <system_error>
#include <utility>

#include "core/base/format.h"
#include "core/remote/ssh_words.h"

namespace rankscope {
namespace {

/// A name for a file or folder of the cache, without anything that leads elsewhere.
std::string plainName(std::string text) {
    std::ranges::replace(text, '/', '_');
    std::ranges::replace(text, ':', '_');
    return text.empty() || text.front() == '.' ? "_" + text : text;
}

/// The local path of the file: a folder per content, so that a changed run gets another.
std::filesystem::path placeInCache(const RemoteFile& made, const CachePlace& place) {
    std::string content = made.sum.text;
    std::ranges::replace(content, ' ', '-');
    return place.folder / content / place.name;
}

std::uint64_t sizeOf(const std::filesystem::path& path) {
    std::error_code error;
    const std::uintmax_t size = std::filesystem::file_size(path, error);
    return error ? 0 : size;
}

/// Copies what is missing after the end of `part`; returns why that failed, or nothing. Reports progress.
std::optional<std::string> copyRest(const RemoteShell& shell, const RemotePath& remote, const RemoteFile& made,
                                    const std::filesystem::path& part, const Say& say) {
    RemoteShell::Streams streams;
    streams.output_file = part.string();
    streams.on_tick = [&] {
        say("copying " + formatBytes(sizeOf(part)) + " of " + formatBytes(made.sum.bytes) + " from " + remote.host);
    };
    const ChildResult result =
        shell.run("exec tail -c +" + std::to_string(sizeOf(part) + 1) + " " + shellWord(made.path), streams);
    if (auto why = whySshFailed(remote, result.code, result.err)) {
        return why;
    }
    return result.code == 0 ? std::nullopt : std::optional("the copy failed: " + std::string(lastLine(result.err)));
}

/// Copies the file into `part`, from where an earlier copy was interrupted.
std::optional<std::string> copyWhole(const RemoteShell& shell, const RemotePath& remote, const RemoteFile& made,
                                     const std::filesystem::path& part, int tries, const Say& say) {
    std::optional<std::string> why;
    for (int i = 0; i <= tries && sizeOf(part) < made.sum.bytes; ++i) {  // the copy, and this many retries
        why = copyRest(shell, remote, made, part, say);
    }
    const auto sum = checksumOfFile(part.string());
    if (sum && sum->text == made.sum.text) {
        return std::nullopt;
    }
    if (sizeOf(part) < made.sum.bytes) {
        return why.value_or("the connection ended early") + ", with " + std::to_string(sizeOf(part)) + " of " +
               std::to_string(made.sum.bytes) + " bytes copied. Open the path again to continue";
    }
    std::error_code ignored;
    std::filesystem::remove(part, ignored);
    return "the copy differs from the file on " + remote.host +
           ". Was the file made again during the copy, or does the shell there print text at start?";
}

/// Removes older content of the same remote path.
void removeOlder(const std::filesystem::path& file) {
    std::error_code ignored;
    const std::filesystem::path kept = file.parent_path();
    for (const auto& entry : std::filesystem::directory_iterator(kept.parent_path(), ignored)) {
        if (entry.path() != kept) {
            std::filesystem::remove_all(entry.path(), ignored);
        }
    }
}

}  // namespace

CachePlace cachePlace(const RemotePath& remote, const std::string& key, const std::string& cache_folder,
                      std::string_view ending) {
    std::filesystem::path path(remote.path);
    path = path.has_filename() ? path.filename() : path.parent_path().filename();
    std::string name = path.string() == "~" ? "home" : path.string();
    if (isDigestPath(remote)) {
        name.resize(name.rfind('.'));
    }
    const std::string host = remote.destination() + (remote.port ? "-" + std::to_string(*remote.port) : "");
    const std::string kind = ending == kDigestInCache ? std::string() : std::string(ending);
    return {std::filesystem::path(cache_folder) / plainName(host) / plainName(key + kind),
            plainName(name + std::string(ending))};
}

Result<CopiedFile> copyHere(const RemoteShell& shell, const RemotePath& remote, const RemoteFile& made,
                            const CachePlace& place, const Copying& copying) {
    const std::filesystem::path file = placeInCache(made, place);
    if (sizeOf(file) == made.sum.bytes && made.sum.bytes > 0) {
        return CopiedFile{file.string(), made.sum.bytes, 0};
    }
    std::error_code error;
    std::filesystem::create_directories(file.parent_path(), error);
    if (error) {
        return Error{file.parent_path().string(), {}, "cannot be created: " + error.message()};
    }
    const std::filesystem::path part = file.string() + ".part";
    const std::uint64_t had = sizeOf(part);
    if (auto why = copyWhole(shell, remote, made, part, copying.tries, copying.say)) {
        return shell.error(std::move(*why));
    }
    std::filesystem::rename(part, file, error);
    if (error) {
        return Error{file.string(), {}, "cannot be written: " + error.message()};
    }
    removeOlder(file);
    return CopiedFile{file.string(), made.sum.bytes, made.sum.bytes - std::min(had, made.sum.bytes)};
}

void removeFromCache(const CachePlace& place) {
    std::error_code ignored;
    std::filesystem::remove_all(place.folder, ignored);
}

}  // namespace rankscope
