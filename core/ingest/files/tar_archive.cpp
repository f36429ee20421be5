// SPDX-License-Identifier: GPL-3.0-or-later
#include <archive.h>
#include <archive_entry.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <utility>

#include "core/ingest/bounds.h"
#include "core/ingest/files/archive.h"
#include "core/ingest/files/input_file.h"

namespace rankscope {
namespace {

constexpr std::size_t kPiece = std::size_t{256} * 1024;
constexpr const char* kNoTar = "is not a tar archive, or is damaged";

/// The text of a tar for libarchive, which reads the headers. Packed tars are unpacked here, which leaves checkpoints
/// for entering a member later.
class TarText {
  public:
    /// `seekable`: the file is the text, and data between two headers is skipped.
    TarText(std::unique_ptr<ByteStream> packed, InputFile file, std::uint64_t bytes, bool seekable)
        : packed_(std::move(packed)), file_(std::move(file)), bytes_(bytes), seekable_(seekable), piece_(kPiece) {}

    [[nodiscard]] std::uint64_t position() const { return position_; }
    [[nodiscard]] bool isTooLarge() const { return too_large_; }
    [[nodiscard]] std::optional<std::string> damage() const { return packed_->damage(); }
    [[nodiscard]] SeekIndex seekIndex() const { return packed_->seekIndex(); }

    static la_ssize_t read(archive* /*reader*/, void* self, const void** piece) {
        TarText& text = *static_cast<TarText*>(self);
        *piece = text.piece_.data();
        const std::size_t got = text.seekable_ ? text.file_.read(text.piece_) : text.packed_->read(text.piece_);
        text.position_ += got;
        text.too_large_ = !text.seekable_ && text.position_ > std::max(kLeastUnpacked, kMostUnpacked * text.bytes_);
        return text.too_large_ ? ARCHIVE_FATAL : static_cast<la_ssize_t>(got);
    }
    static la_int64_t skip(archive* /*reader*/, void* self, la_int64_t bytes) {
        TarText& text = *static_cast<TarText*>(self);
        const std::uint64_t left = text.bytes_ - std::min(text.bytes_, text.position_);
        const std::uint64_t skipped =
            text.seekable_ ? std::min<std::uint64_t>(static_cast<std::uint64_t>(bytes), left) : 0;
        text.position_ += skipped;
        text.file_.seek(text.position_);
        return static_cast<la_int64_t>(skipped);
    }

  private:
    std::unique_ptr<ByteStream> packed_;
    InputFile file_;
    std::uint64_t bytes_;  ///< on disk
    bool seekable_;
    std::vector<char> piece_;
    std::uint64_t position_ = 0;  ///< in the text, of the next byte to read
    bool too_large_ = false;
};

struct ReaderFreer {
    void operator()(archive* reader) const { archive_read_free(reader); }
};
using Reader = std::unique_ptr<archive, ReaderFreer>;

/// A reader for tars only; null if there is no memory, or if the text does not begin like a tar.
Reader readerOf(TarText& text) {
    Reader reader(archive_read_new());
    if (!reader || archive_read_support_format_tar(reader.get()) != ARCHIVE_OK ||
        archive_read_set_read_callback(reader.get(), TarText::read) != ARCHIVE_OK ||
        archive_read_set_skip_callback(reader.get(), TarText::skip) != ARCHIVE_OK ||
        archive_read_set_callback_data(reader.get(), &text) != ARCHIVE_OK ||
        archive_read_open1(reader.get()) != ARCHIVE_OK) {
        return nullptr;
    }
    return reader;
}

/// The regular file of the current header; nothing if it is something else, or has no name.
std::optional<ArchiveMember> memberAt(archive* reader, archive_entry* entry) {
    const char* const bytes = archive_entry_pathname(entry);
    const char* const name = bytes != nullptr ? bytes : archive_entry_pathname_utf8(entry);
    const bool is_link = archive_entry_hardlink(entry) != nullptr || archive_entry_symlink(entry) != nullptr;
    if (name == nullptr || *name == '\0' || is_link || archive_entry_filetype(entry) != AE_IFREG) {
        return std::nullopt;
    }
    ArchiveMember member;
    member.name = name;
    member.packed_bytes = static_cast<std::uint64_t>(std::max<la_int64_t>(0, archive_entry_size(entry)));
    constexpr int kText = 0;  // after all filters
    member.data_start = static_cast<std::uint64_t>(std::max<la_int64_t>(0, archive_filter_bytes(reader, kText)));
    member.data_end = member.data_start + member.packed_bytes;
    member.supported = archive_entry_sparse_count(entry) == 0;
    return member;
}

/// What is wrong if the headers end in an error.
std::string damageOf(archive* reader, const TarText& text) {
    const char* const reason = archive_error_string(reader);
    const std::string why = text.damage().value_or(reason != nullptr ? reason : "its headers are damaged");
    return "is cut off or damaged (" + why + "): only the files before that place are read";
}

}  // namespace

Result<ArchiveDirectory> readTarDirectory(const std::string& path) {
    Result<InputFile> file = InputFile::open(path);
    Result<std::unique_ptr<ByteStream>> opened = openBytes(path);
    if (!file.ok() || !opened.ok()) {
        return file.ok() ? opened.error() : file.error();
    }
    std::error_code error;
    const std::uintmax_t size = std::filesystem::file_size(path, error);
    const std::uint64_t bytes = error ? 0 : size;
    const bool is_plain = opened.value()->seekIndex().packing == Packing::Plain;
    TarText text(std::move(opened).value(), std::move(file).value(), bytes, is_plain);
    const Reader reader = readerOf(text);
    ArchiveDirectory directory;
    archive_entry* entry = nullptr;
    int status = reader ? archive_read_next_header(reader.get(), &entry) : ARCHIVE_FATAL;
    for (; status == ARCHIVE_OK || status == ARCHIVE_WARN; status = archive_read_next_header(reader.get(), &entry)) {
        if (directory.members.size() >= kMostMembers) {
            return Error{path, std::nullopt, "has more than " + std::to_string(kMostMembers) + " files"};
        }
        if (std::optional<ArchiveMember> member = memberAt(reader.get(), entry)) {
            directory.members.push_back(*std::move(member));
        }
    }
    if (text.isTooLarge()) {
        return Error{path, std::nullopt,
                     "unpacks to more than " + std::to_string(kMostUnpacked) + " times its size; unpack it first"};
    }
    if (status != ARCHIVE_EOF && directory.members.empty()) {
        return Error{path, std::nullopt, text.damage() ? *text.damage() : kNoTar};
    }
    if (status != ARCHIVE_EOF) {
        directory.damage = damageOf(reader.get(), text);
    }
    const std::uint64_t end = is_plain ? bytes : text.position();
    const auto around = is_plain ? nullptr : std::make_shared<const SeekIndex>(text.seekIndex());
    for (ArchiveMember& member : directory.members) {
        member.data_start = std::min(member.data_start, end);
        member.data_end = std::clamp(member.data_end, member.data_start, end);
        member.around = around;
    }
    return directory;
}

}  // namespace rankscope
