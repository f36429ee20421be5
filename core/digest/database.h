// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

struct sqlite3;
struct sqlite3_stmt;

namespace rankscope {

/// A statement of a database, to be stepped through row by row. Lives no longer than its database. All of it throws
/// DigestFault with SQLite's reason where that fails.
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
    /// Runs a statement that gives no rows, and makes it ready to be bound again.
    void run();

    // Columns of the row, from 0. Views live until the next row.
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

/// SQLite's URI of the file at `path`, to read it while nothing changes it.
[[nodiscard]] std::string uriOfDigest(const std::string& path);

/// An SQLite database. All of it throws DigestFault with SQLite's reason where that fails.
class Database {
  public:
    /// Opens an existing file for reading. Nobody changes a digest in place, so no locks are used: not all file systems
    /// of clusters have them.
    [[nodiscard]] static Database open(const std::string& path);
    /// A new one, in memory.
    [[nodiscard]] static Database inMemory();
    /// A new file, whose journal is in memory: it is thrown away where it does not get done. Digests can be attached.
    [[nodiscard]] static Database create(const std::string& path);

    /// A prepared statement. Throws DigestFault where the file has not what the SQL names.
    [[nodiscard]] Statement statement(std::string_view sql) const { return {database_.get(), sql}; }
    /// Runs statements that give no rows.
    void run(const std::string& sql) const;
    /// The database as the bytes of a file.
    [[nodiscard]] std::string bytes() const;

  private:
    Database(const std::string& name, int flags);

    struct Close {
        void operator()(sqlite3* database) const;
    };
    std::unique_ptr<sqlite3, Close> database_;
};

}  // namespace rankscope
