// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/mcp/server.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "app/cli/mcp/definition_pages.h"
#include "app/cli/mcp/picture.h"
#include "core/report/version.h"

namespace rankscope::cli {
namespace {

using nlohmann::json;

constexpr int kParseError = -32700;  // of JSON-RPC 2.0, like those below
constexpr int kInvalidRequest = -32600;
constexpr int kNoSuchMethod = -32601;
constexpr int kInvalidParams = -32602;
constexpr int kNoSuchResource = -32002;  // of the protocol
constexpr const char* kMarkdown = "text/markdown";
constexpr std::array<std::string_view, 4> kVersions = {"2025-06-18", "2025-11-25", "2025-03-26", "2024-11-05"};

constexpr const char* kInstructions =
    "Profiler traces of distributed PyTorch training, analysed. Begin with overview. finding(number) explains one "
    "finding with its evidence. query(sql) answers anything else; tables(pattern) lists columns. Times are "
    "nanoseconds. The resources definition://NAME say what the numbers mean.";

struct Prompt {
    const char* name;
    const char* about;
    const char* text;
};

constexpr std::array<Prompt, 3> kPrompts = {{
    {"why-slow", "Why is this run slow, and what should be changed?",
     "Call overview, then finding for each finding that saves 5 % or more. Check the first one's evidence with slice "
     "or query. Say in five sentences what limits the step, what to change first, what it saves, and what is unknown."},
    {"is-it-faster", "Is the change faster?",
     "Call overview for the names of the two runs, then compare. Say whether the difference is more than noise, what "
     "explains it, and what to record to be sure."},
    {"what-to-record", "What should be recorded next time?",
     "Call overview and check. List what the traces cannot show, with the profiler option or counter that would show "
     "it, the most useful first."},
}};

json errorOf(const json& id, int code, const std::string& words) {
    return {{"jsonrpc", "2.0"}, {"id", id}, {"error", {{"code", code}, {"message", words}}}};
}

json resultOf(const json& id, json result) {
    return {{"jsonrpc", "2.0"}, {"id", id}, {"result", std::move(result)}};
}

/// The definitions of the numbers, by name.
json resources(const json& id, const std::string& method, const json& params) {
    if (method == "resources/list") {
        json all = json::array();
        for (const DefinitionPage& page : definitionPages()) {
            all.push_back({{"uri", page.uri()}, {"name", page.name}, {"title", page.title()}, {"mimeType", kMarkdown}});
        }
        return resultOf(id, {{"resources", all}});
    }
    if (method == "resources/templates/list") {
        const json one = {{"uriTemplate", "definition://{name}"},
                          {"name", "definition"},
                          {"description", "What the numbers of a topic mean"},
                          {"mimeType", kMarkdown}};
        return resultOf(id, {{"resourceTemplates", json::array({one})}});
    }
    if (method != "resources/read") {
        return errorOf(id, kNoSuchMethod, "there is no method " + method);
    }
    const json uri = params.value("uri", json());
    const DefinitionPage* const page = uri.is_string() ? definitionPage(uri.get<std::string>()) : nullptr;
    if (page == nullptr) {
        return errorOf(id, kNoSuchResource,
                       "there is no such definition; resources/list names all, and nothing else is read");
    }
    const json text = {{"uri", uri}, {"mimeType", kMarkdown}, {"text", page->text}};
    return resultOf(id, {{"contents", json::array({text})}});
}

json welcome(const json& params) {
    const json asked = params.value("protocolVersion", json());
    const bool is_known =
        asked.is_string() && std::ranges::find(kVersions, asked.get<std::string>()) != kVersions.end();
    return {{"protocolVersion", is_known ? asked : json(kVersions.front())},
            {"capabilities", {{"tools", json::object()}, {"prompts", json::object()}, {"resources", json::object()}}},
            {"serverInfo", {{"name", "rankscope"}, {"version", toolVersion()}}},
            {"instructions", kInstructions}};
}

json prompt(const json& id, const json& params) {
    const json name = params.value("name", json());
    const auto at = std::ranges::find_if(kPrompts, [&](const Prompt& each) { return name == each.name; });
    if (at == kPrompts.end()) {
        return errorOf(id, kInvalidParams, "there is no such prompt");
    }
    const json content = {{"type", "text"}, {"text", at->text}};
    return resultOf(
        id, {{"description", at->about}, {"messages", json::array({{{"role", "user"}, {"content", content}}})}});
}

}  // namespace

Server::Server(std::function<const ReadRuns&()> read, Mailbox& mailbox) : read_(std::move(read)), mailbox_(mailbox) {}

std::optional<json> Server::answer(const std::string& line) {
    const Result<json> parsed = parsedMessage(line);
    if (!parsed.ok()) {
        return errorOf(nullptr, kParseError, "the message " + parsed.error().cause);
    }
    const json& message = parsed.value();
    const bool is_call = message.is_object() && message.contains("method") && message["method"].is_string();
    if (!is_call) {
        return errorOf(nullptr, kInvalidRequest, "the message has no method");
    }
    if (!message.contains("id")) {
        return std::nullopt;
    }
    const json& id = message["id"];
    if (!id.is_string() && !id.is_number()) {
        return errorOf(nullptr, kInvalidRequest, "the id of a call is a text or a number");
    }
    const json params = message.value("params", json::object());
    return result(id, message["method"].get<std::string>(), params.is_object() ? params : json::object());
}

json Server::result(const json& id, const std::string& method, const json& params) {
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
        return call(id, params);
    }
    if (method == "prompts/list") {
        json all = json::array();
        for (const Prompt& each : kPrompts) {
            all.push_back({{"name", each.name}, {"description", each.about}});
        }
        return resultOf(id, {{"prompts", all}});
    }
    if (method == "prompts/get") {
        return prompt(id, params);
    }
    if (method.starts_with("resources/")) {
        return resources(id, method, params);
    }
    return errorOf(id, kNoSuchMethod, "there is no method " + method);
}

json Server::call(const json& id, const json& params) {
    const json name = params.value("name", json());
    const json arguments = params.value("arguments", json::object());
    if (!name.is_string() || !(arguments.is_object() || arguments.is_null())) {
        return errorOf(id, kInvalidParams, "a call has a name and, as an object, arguments");
    }
    const std::stop_token stop = mailbox_.answering(id);
    const ToolAnswer answer = answerOf(name.get<std::string>(), arguments, stop);
    json content = json::array({{{"type", "text"}, {"text", answer.text}}});
    if (!answer.png.empty()) {
        content.push_back({{"type", "image"}, {"mimeType", "image/png"}, {"data", base64(answer.png)}});
    }
    return resultOf(id, {{"content", content}, {"isError", answer.is_error}});
}

ToolAnswer Server::answerOf(const std::string& name, const json& arguments, const std::stop_token& stop) {
    if (runs_ == nullptr) {
        runs_ = &read_();
    }
    if (runs_->runs.empty()) {
        return {runs_->unreadable.empty() ? "nothing could be read" : runs_->unreadable.front().text(), true};
    }
    if (tools_ == nullptr) {
        tools_ = std::make_unique<Toolbox>(*runs_);
    }
    return tools_->call(name, arguments.is_null() ? json::object() : arguments, stop);
}

}  // namespace rankscope::cli
