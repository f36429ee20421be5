// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ingest/nsight/export.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "core/digest/column.h"
#include "core/ingest/files/byte_stream.h"

namespace rankscope::nsight {
namespace {

std::string quotedName(std::string_view name) {
    std::string out = "\"";
    for (const char c : name) {
        out += c;
        if (c == '"') {
            out += c;
        }
    }
    return out + "\"";
}

/// All bytes of a packed file.
std::string unpacked(ByteStream& stream) {
    constexpr std::size_t kPieceBytes = std::size_t{1} << 20;
    std::string bytes;
    for (std::size_t count = kPieceBytes; count == kPieceBytes;) {
        const std::size_t before = bytes.size();
        bytes.resize(before + kPieceBytes);
        count = stream.read(std::span(bytes).subspan(before));
        bytes.resize(before + count);
    }
    if (stream.damage()) {
        throw DigestFault(*stream.damage());
    }
    return bytes;
}

bool isPacked(const std::string& path) {
    return path.ends_with(".gz") || path.ends_with(".zst");
}

Database opened(const FileSource& file) {
    if (!isPacked(file.path)) {
        return Database::open(file.path);
    }
    const Result<std::unique_ptr<ByteStream>> stream = openBytes(file.path);
    if (!stream.ok()) {
        throw DigestFault(stream.error().cause);
    }
    return Database::ofBytes(unpacked(*stream.value()));
}

}  // namespace

Export::Export(const FileSource& file) : Export(opened(file)) {}

Export::Export(Database database) : database_(std::move(database)) {
    readTables();
}

void Export::readTables() {
    // A virtual table has no root page.
    Statement names = database_.statement("SELECT name FROM sqlite_master WHERE type = 'table' AND rootpage > 0");
    while (names.next()) {
        tables_.emplace(names.text(0), std::vector<std::string>());
    }
    for (auto& [table, columns] : tables_) {
        Statement info = database_.statement(fmt::format("PRAGMA table_info({})", quotedName(table)));
        while (info.next()) {
            columns.emplace_back(info.text(1));
        }
    }
}

void Export::readTexts() {
    if (!has("StringIds", "value")) {
        return;
    }
    Statement all = database_.statement("SELECT id, value FROM StringIds");
    while (all.next()) {
        texts_.emplace(all.number(0), all.text(1));
    }
}

bool Export::has(std::string_view table) const {
    return tables_.contains(std::string(table));
}

bool Export::has(std::string_view table, std::string_view column) const {
    const auto found = tables_.find(std::string(table));
    return found != tables_.end() && std::ranges::find(found->second, column) != found->second.end();
}

const std::vector<std::string>& Export::columns(std::string_view table) const {
    return tables_.at(std::string(table));
}

Statement Export::rows(std::string_view table, std::initializer_list<std::string_view> columns) const {
    std::string sql = "SELECT rowid";
    for (const std::string_view column : columns) {
        sql += has(table, column) ? ", " + quotedName(column) : ", NULL";
    }
    return database_.statement(sql + " FROM " + quotedName(table));
}

Statement Export::row(std::string_view table, std::int64_t rowid) const {
    Statement row = database_.statement(fmt::format("SELECT * FROM {} WHERE rowid = ?", quotedName(table)));
    row.bind(rowid);
    return row;
}

std::string Export::storedText(std::int64_t id) const {
    if (!has("StringIds", "value")) {
        return {};
    }
    Statement row = database_.statement("SELECT value FROM StringIds WHERE id = ?");
    row.bind(id);
    return row.next() ? std::string(row.text(0)) : std::string();
}

std::string_view Export::text(std::int64_t id) const {
    const auto found = texts_.find(id);
    return found == texts_.end() ? std::string_view() : std::string_view(found->second);
}

}  // namespace rankscope::nsight
