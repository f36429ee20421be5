// SPDX-License-Identifier: GPL-3.0-or-later

#include <algorithm>
#include <array>
#include <condition_variable>
#include <deque>
#include <iostream>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "app/cli/commands.h"
#include "app/cli/mcp_tools.h"
#include "app/cli/read_runs.h"
#include "app/exit_code.h"
#include "core/report/version.h"

namespace rankscope::cli {
namespace {

using nlohmann::json;

constexpr std::size_t kLongestMessage = 1'000'000;  // bytes
constexpr std::size_t kMostCancelled = 1'000;
constexpr int kParseError = -32700;  // of JSON-RPC 2.0, as those below
constexpr int kInvalidRequest = -32600;
constexpr int kNoSuchMethod = -32601;
constexpr int kInvalidParams = -32602;
constexpr std::array<std::string_view, 4> kVersions = {"2025-06-18", "2025-11-25", "2025-03-26", "2024-11-05"};

constexpr const char* kInstructions =
    "Profiler traces of distributed PyTorch training, analysed. Begin with overview. finding(number) explains one "
    "finding with its evidence. query(sql) answers anything else; tables(pattern) lists columns. Times are "
    "nanoseconds.";

struct Prompt {
    const char* name;
    const char* about;
    const char* text;
};

constexpr std::array<Prompt, 3> kPrompts = {{
    {"why-slow", "Why is this run slow, and what should be changed?",
     "Call overview, then finding for each finding that saves 5 % or more. Check the first one's evidence with slice "
     "or "
     "query. Say in five sentences what limits the step, what to change first, what it saves, and what is unknown."},
    {"is-it-faster", "Is the change faster?",
     "Call overview for the names of the two runs, then compare. Say whether the difference is more than noise, what "
     "explains it, and what to record to be sure."},
    {"what-to-record", "What should be recorded next time?",
     "Call overview and check. List what the traces cannot show, with the profiler option or counter that would show "
     "it, the most useful first."},
}};

/// Standard input, read by a thread of its own: what cancels a call comes while that is answered.
class Inbox {
  public:
    Inbox() : reader_([this] { read(); }) {}
    Inbox(const Inbox&) = delete;
    Inbox& operator=(const Inbox&) = delete;
    ~Inbox() { reader_.detach(); }  // it may wait for input for ever; the process ends

    /// The next message, or nothing where the input has ended.
    std::optional<std::string> next() {
        std::unique_lock lock(state_->mutex);
        state_->changed.wait(lock, [this] { return !state_->lines.empty() || state_->ended; });
        if (state_->lines.empty()) {
            return std::nullopt;
        }
        std::string line = std::move(state_->lines.front());
        state_->lines.pop_front();
        return line;
    }
    /// Says which call is answered from now on; its stop is requested when it is cancelled.
    std::stop_token answering(const json& id) {
        const std::scoped_lock lock(state_->mutex);
        state_->id = id;
        state_->stop = std::stop_source();
        if (std::erase(state_->cancelled, id) > 0) {
            state_->stop.request_stop();
        }
        return state_->stop.get_token();
    }

  private:
    struct State {
        std::mutex mutex;
        std::condition_variable changed;
        std::deque<std::string> lines;
        bool ended = false;
        json id;  // of the call that is answered
        std::stop_source stop;
        std::vector<json> cancelled;  // calls that wait
    };

    void read() {
        const std::shared_ptr<State> state = state_;
        for (std::string line; std::getline(std::cin, line);) {
            const std::scoped_lock lock(state->mutex);
            if (!cancels(line, *state)) {
                state->lines.push_back(std::move(line));
                state->changed.notify_one();
            }
        }
        const std::scoped_lock lock(state->mutex);
        state->ended = true;
        state->changed.notify_one();
    }

    /// Whether a line cancels a call; if it is the one that is answered, that is stopped.
    static bool cancels(const std::string& line, State& state) {
        if (line.size() > kLongestMessage || line.find("notifications/cancelled") == std::string::npos) {
            return false;
        }
        const json message = json::parse(line, nullptr, false);
        if (!message.is_object() || message.value("method", json()) != "notifications/cancelled") {
            return false;
        }
        const json params = message.value("params", json::object());
        const json id = params.is_object() ? params.value("requestId", json()) : json();
        if (id == state.id) {
            state.stop.request_stop();
        } else if (state.cancelled.size() < kMostCancelled) {
            state.cancelled.push_back(id);
        }
        return true;
    }

    std::shared_ptr<State> state_ = std::make_shared<State>();
    std::thread reader_;
};

json errorOf(const json& id, int code, const std::string& words) {
    return {{"jsonrpc", "2.0"}, {"id", id}, {"error", {{"code", code}, {"message", words}}}};
}

json resultOf(const json& id, json result) {
    return {{"jsonrpc", "2.0"}, {"id", id}, {"result", std::move(result)}};
}

void send(const json& message) {
    std::cout << message.dump(-1, ' ', false, json::error_handler_t::replace) << std::endl;  // seen at once
}

class Server {
  public:
    explicit Server(const McpRequest& request) : request_(request) {}

    /// The answer to one message; nothing for a notification.
    std::optional<json> answer(const std::string& line, Inbox& inbox) {
        if (line.size() > kLongestMessage) {
            return errorOf(nullptr, kInvalidRequest, "the message is longer than 1 MB");
        }
        const json message = json::parse(line, nullptr, false);
        if (message.is_discarded()) {
            return errorOf(nullptr, kParseError, "the message is no JSON");
        }
        const bool is_call = message.is_object() && message.contains("method") && message["method"].is_string();
        if (!is_call) {
            return errorOf(nullptr, kInvalidRequest, "the message has no method");
        }
        if (!message.contains("id")) {
            return std::nullopt;
        }
        const json params = message.value("params", json::object());
        return result(message["id"], message["method"].get<std::string>(), params.is_object() ? params : json::object(),
                      inbox);
    }

  private:
    json result(const json& id, const std::string& method, const json& params, Inbox& inbox) {
        if (method == "initialize") {
            return resultOf(id, welcome(params));
        }
        if (method == "ping") {
            return resultOf(id, json::object());
        }
        if (method == "tools/list") {
            return resultOf(id, {{"tools", Toolbox::list()}});
        }
        if (method == "tools/call") {
            return call(id, params, inbox);
        }
        if (method == "prompts/list") {
            json all = json::array();
            for (const Prompt& prompt : kPrompts) {
                all.push_back({{"name", prompt.name}, {"description", prompt.about}});
            }
            return resultOf(id, {{"prompts", all}});
        }
        if (method == "prompts/get") {
            return prompt(id, params);
        }
        return errorOf(id, kNoSuchMethod, "there is no method " + method);
    }

    static json welcome(const json& params) {
        const json asked = params.value("protocolVersion", json());
        const bool is_known =
            asked.is_string() && std::ranges::find(kVersions, asked.get<std::string>()) != kVersions.end();
        return {{"protocolVersion", is_known ? asked : json(kVersions.front())},
                {"capabilities", {{"tools", json::object()}, {"prompts", json::object()}}},
                {"serverInfo", {{"name", "rankscope"}, {"version", toolVersion()}}},
                {"instructions", kInstructions}};
    }

    static json prompt(const json& id, const json& params) {
        const json name = params.value("name", json());
        const auto at = std::ranges::find_if(kPrompts, [&](const Prompt& each) { return name == each.name; });
        if (at == kPrompts.end()) {
            return errorOf(id, kInvalidParams, "there is no such prompt");
        }
        const json content = {{"type", "text"}, {"text", at->text}};
        return resultOf(
            id, {{"description", at->about}, {"messages", json::array({{{"role", "user"}, {"content", content}}})}});
    }

    json call(const json& id, const json& params, Inbox& inbox) {
        const json name = params.value("name", json());
        const json arguments = params.value("arguments", json::object());
        if (!name.is_string() || !(arguments.is_object() || arguments.is_null())) {
            return errorOf(id, kInvalidParams, "a call has a name and, as an object, arguments");
        }
        const std::stop_token stop = inbox.answering(id);
        const ToolAnswer answer = answerOf(name.get<std::string>(), arguments, stop);
        const json content = json::array({{{"type", "text"}, {"text", answer.text}}});
        return resultOf(id, {{"content", content}, {"isError", answer.is_error}});
    }

    ToolAnswer answerOf(const std::string& name, const json& arguments, const std::stop_token& stop) {
        if (read_ == nullptr) {
            read_ = std::make_unique<ReadRuns>(readRuns(request_.runs, discover(request_.runs)));
        }
        if (read_->runs.empty()) {
            return {read_->unreadable.empty() ? "nothing could be read" : read_->unreadable.front().text(), true};
        }
        if (tools_ == nullptr) {
            tools_ = std::make_unique<Toolbox>(*read_);
        }
        return tools_->call(name, arguments.is_null() ? json::object() : arguments, stop);
    }

    const McpRequest& request_;
    std::unique_ptr<ReadRuns> read_;
    std::unique_ptr<Toolbox> tools_;  // of read_
};

}  // namespace

int runMcp(const McpRequest& request) {
    Request fetched = request.runs;
    if (!fetchRemotePaths(fetched)) {
        return kNothingReadable;
    }
    const McpRequest all{std::move(fetched)};
    Server server(all);
    Inbox inbox;
    while (const std::optional<std::string> line = inbox.next()) {
        if (line->find_first_not_of(" \t\r") == std::string::npos) {
            continue;
        }
        if (const std::optional<json> answer = server.answer(*line, inbox)) {
            send(*answer);
        }
    }
    return kDone;
}

}  // namespace rankscope::cli
