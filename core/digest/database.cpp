// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/digest/database.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <array>
#include <filesystem>
#include <system_error>

#include "core/digest/column.h"

namespace rankscope {

std::string uriOfDigest(const std::string& path) {
    constexpr std::string_view kPlain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/";
    std::error_code error;
    std::string uri = "file://";
    for (const char c : std::filesystem::absolute(path, error).string()) {
        if (kPlain.find(c) != std::string_view::npos) {
            uri.push_back(c);
        } else {
            uri += fmt::format("%{:02X}", static_cast<unsigned char>(c));
        }
    }
    return uri + "?immutable=1";
}

void Statement::Finalize::operator()(sqlite3_stmt* statement) const {
    sqlite3_finalize(statement);
}

Statement::Statement(sqlite3* database, std::string_view sql) : database_(database) {
    sqlite3_stmt* statement = nullptr;
    check(sqlite3_prepare_v2(database, sql.data(), static_cast<int>(sql.size()), &statement, nullptr));
    statement_.reset(statement);
}

void Statement::check(int code) const {
    if (code != SQLITE_OK && code != SQLITE_ROW && code != SQLITE_DONE) {
        throw DigestFault(sqlite3_errmsg(database_));
    }
}

Statement& Statement::bind(std::int64_t number) {
    check(sqlite3_bind_int64(statement_.get(), ++bound_, number));
    return *this;
}

Statement& Statement::bind(double number) {
    check(sqlite3_bind_double(statement_.get(), ++bound_, number));
    return *this;
}

Statement& Statement::bind(std::string_view text) {
    // An empty text may have a null address, which SQLite takes for NULL. SQLite copies bound values.
    const char* const place = text.data() == nullptr ? "" : text.data();
    check(sqlite3_bind_text64(statement_.get(), ++bound_, place, text.size(), SQLITE_TRANSIENT, SQLITE_UTF8));
    return *this;
}

Statement& Statement::bindBlob(std::string_view bytes) {
    check(sqlite3_bind_blob64(statement_.get(), ++bound_, bytes.data(), bytes.size(), SQLITE_TRANSIENT));
    return *this;
}

Statement& Statement::bindNull() {
    check(sqlite3_bind_null(statement_.get(), ++bound_));
    return *this;
}

bool Statement::next() {
    const int code = sqlite3_step(statement_.get());
    check(code);
    return code == SQLITE_ROW;
}

void Statement::run() {
    (void)next();
    check(sqlite3_reset(statement_.get()));
    check(sqlite3_clear_bindings(statement_.get()));
    bound_ = 0;
}

bool Statement::isNull(int column) const {
    return sqlite3_column_type(statement_.get(), column) == SQLITE_NULL;
}

std::int64_t Statement::number(int column) const {
    return sqlite3_column_int64(statement_.get(), column);
}

std::string_view Statement::text(int column) const {
    return blob(column);  // a text is the bytes of its UTF-8
}

std::string_view Statement::blob(int column) const {
    const auto* const bytes = static_cast<const char*>(sqlite3_column_blob(statement_.get(), column));
    const int size = sqlite3_column_bytes(statement_.get(), column);
    return bytes == nullptr ? std::string_view() : std::string_view(bytes, static_cast<std::size_t>(size));
}

void Database::Close::operator()(sqlite3* database) const {
    sqlite3_close(database);
}

Database::Database(const std::string& name, int flags) {
    sqlite3* database = nullptr;
    const int code = sqlite3_open_v2(name.c_str(), &database, flags | SQLITE_OPEN_NOMUTEX, nullptr);
    database_.reset(database);
    if (code != SQLITE_OK) {
        throw DigestFault(database == nullptr ? "out of memory" : sqlite3_errmsg(database));
    }
    // Files may come from untrusted sources: nothing in their schema is executed except our statements.
    sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
    sqlite3_db_config(database, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
    sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, nullptr);
    sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_VIEW, 0, nullptr);
}

Database Database::open(const std::string& path) {
    return {uriOfDigest(path), SQLITE_OPEN_READONLY | SQLITE_OPEN_URI};
}

Database Database::ofBytes(std::string bytes) {
    Database made = inMemory();
    made.bytes_ = std::move(bytes);
    auto* const data = reinterpret_cast<unsigned char*>(made.bytes_.data());  // NOLINT(*-reinterpret-cast)
    const auto size = static_cast<sqlite3_int64>(made.bytes_.size());
    if (sqlite3_deserialize(made.database_.get(), "main", data, size, size, SQLITE_DESERIALIZE_READONLY) != SQLITE_OK) {
        throw DigestFault(sqlite3_errmsg(made.database_.get()));
    }
    return made;
}

Database Database::inMemory() {
    return {":memory:", SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE};
}

Database Database::create(const std::string& path) {
    Database made(path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_URI);
    made.run("PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF;");
    return made;
}

void Database::run(const std::string& sql) const {
    if (sqlite3_exec(database_.get(), sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK) {
        throw DigestFault(sqlite3_errmsg(database_.get()));
    }
}

std::string Database::bytes() const {
    sqlite3_int64 size = 0;
    const std::unique_ptr<unsigned char, decltype(&sqlite3_free)> bytes(
        sqlite3_serialize(database_.get(), "main", &size, 0), &sqlite3_free);
    if (!bytes) {
        throw DigestFault("out of memory");
    }
    return {bytes.get(), bytes.get() + size};
}

}  // namespace rankscope
