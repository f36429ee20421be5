// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

struct sqlite3;
struct sqlite3_stmt;

namespace rankscope {

/// A statement of a database, run row by row. Must not outlive its database. All functions throw DigestFault with
/// SQLite's reason if they fail.
class Statement {
  public:
    Statement(sqlite3* database, std::string_view sql);

    /// Binds the next parameter.
    Statement& bind(std::int64_t number);
    Statement& bind(double number);
    Statement& bind(std::string_view text);
    Statement& bindBlob(std::string_view bytes);
    Statement& bindNull();
    /// Moves to the next row; false if there is none.
    [[nodiscard]] bool next();
    /// Runs a statement without result rows, and resets it for new parameters.
    void run();

    // Columns of the row, from 0. Views are valid until the next row.
    [[nodiscard]] bool isNull(int column) const;
    [[nodiscard]] std::int64_t number(int column) const;
    [[nodiscard]] std::string_view text(int column) const;
    [[nodiscard]] std::string_view blob(int column) const;

  private:
    void check(int code) const;

    struct Finalize {
        void operator()(sqlite3_stmt* statement) const;
    };
    sqlite3* database_ = nullptr;
    std::unique_ptr<sqlite3_stmt, Finalize> statement_;
    int bound_ = 0;
};

/// SQLite's URI of the file at `path`, for reading it while nothing changes it.
[[nodiscard]] std::string uriOfDigest(const std::string& path);

/// An SQLite database. All functions throw DigestFault with SQLite's reason if they fail.
class Database {
  public:
    /// Opens an existing file for reading. Digests are never changed in place, so no locks are used: some file systems
    /// of clusters do not have them.
    [[nodiscard]] static Database open(const std::string& path);
    /// The database in the bytes of a file, for reading.
    [[nodiscard]] static Database ofBytes(std::string bytes);
    /// A new database in memory.
    [[nodiscard]] static Database inMemory();
    /// A new file, with its journal in memory: an unfinished file is discarded. Digests can be attached.
    [[nodiscard]] static Database create(const std::string& path);

    /// A prepared statement. Throws DigestFault if the file lacks what the SQL names.
    [[nodiscard]] Statement statement(std::string_view sql) const { return {database_.get(), sql}; }
    /// Runs statements without result rows.
    void run(const std::string& sql) const;
    /// The database as the bytes of a file.
    [[nodiscard]] std::string bytes() const;

  private:
    Database(const std::string& name, int flags);

    struct Close {
        void operator()(sqlite3* database) const;
    };
    std::string bytes_;  // that the database reads, if it was opened from bytes
    std::unique_ptr<sqlite3, Close> database_;
};

}  // namespace rankscope
