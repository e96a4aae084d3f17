// SPDX-License-Identifier: Apache-2.0
// Requests and their answers, the state, and the trace.

#include "plugins/gazebo/somite_player.hh"

#include "player/request.h"
#include "player/state_text.h"
#include "player/topic.h"
#include "player/trace_text.h"

#include <cmath>

namespace somite {

constexpr double state_every = 0.5;     // seconds, even if nothing happens
constexpr std::size_t max_quoted = 100; // bytes of a request in its answer

// ---- topics

static std::string topic_of(const std::string &model, const char *what) {
    std::string topic(som_topic_write(model.c_str(), what, nullptr, 0) + 1, '\0');
    som_topic_write(model.c_str(), what, topic.data(), topic.size());
    topic.pop_back();
    return topic;
}

static void hear(Mailbox &mailbox, const msgs::StringMsg &heard) {
    const std::lock_guard<std::mutex> lock(mailbox.mutex);
    if (mailbox.requests.size() < max_requests && heard.data().size() <= max_request) {
        mailbox.requests.push_back(heard.data());
    } else {
        mailbox.dropped++;
    }
}

template <typename M> static bool read_number(const char *data, std::size_t size, double &value) {
    M message;
    const bool is_read = message.ParseFromArray(data, static_cast<int>(size));
    value = is_read ? static_cast<double>(message.data()) : value;
    return is_read;
}

// A message of a type that has a number or truth as its data; others are ignored.
static void hear_input(Received &received, const std::string &topic, const char *data,
                       std::size_t size, const std::string &type) {
    const std::string name = type.substr(type.rfind('.') + 1);
    double value = 0;
    const bool is_read = name == "Double"    ? read_number<msgs::Double>(data, size, value)
                         : name == "Float"   ? read_number<msgs::Float>(data, size, value)
                         : name == "Boolean" ? read_number<msgs::Boolean>(data, size, value)
                                             : false;
    if (is_read && std::isfinite(value)) {
        const std::lock_guard<std::mutex> lock(received.mutex);
        received.values[topic] = value;
    }
}

// Every topic that an input of any behavior names.
void Player::ListenToInputs() {
    std::set<std::string> topics;
    for (const Behavior &one : this->behaviors) {
        for (std::int32_t i = 0; i < one.graph.symbol_count[SOM_SYMBOL_INPUT]; i++) {
            topics.insert(som_graph_topic(&one.graph, i));
        }
    }
    topics.erase("");
    for (const std::string &topic : topics) {
        const bool hears = this->node->SubscribeRaw(
            topic, [its = this->received, topic](const char *data, const std::size_t size,
                                                 const transport::MessageInfo &info) {
                hear_input(*its, topic, data, size, info.Type());
            });
        if (!hears) {
            SOMITE_ERROR << "somite: model '" << this->name << "': cannot use the topic '" << topic
                         << "' of an input" << std::endl;
        }
    }
}

void Player::Listen() {
    const std::string state = topic_of(this->name, "state"),
                      asked = topic_of(this->name, "request"),
                      answered = topic_of(this->name, "answer");
    this->node = std::make_unique<transport::Node>();
    this->publisher = this->node->Advertise<msgs::StringMsg>(state);
    this->answers = this->node->Advertise<msgs::StringMsg>(answered);
    std::function<void(const msgs::StringMsg &)> callback =
        [its = this->mailbox](const msgs::StringMsg &heard) { hear(*its, heard); };
    const bool hears = this->node->Subscribe(asked, callback);
    if (!this->publisher || !this->answers || !hears) {
        SOMITE_ERROR << "somite: model '" << this->name << "': cannot use the topics '" << state
                     << "', '" << asked << "', '" << answered << "'" << std::endl;
    }
    this->ListenToInputs();
}

void Player::Publish(transport::Node::Publisher &to, const std::string &text) {
    if (to && to.HasConnections()) {
        msgs::StringMsg message;
        message.set_data(text);
        to.Publish(message);
    }
}

// ---- requests

// Why not; "" if it is done.
std::string Player::Obey(const std::string &text) {
    SomRequest request{};
    if (!this->is_sound) {
        return "the robot stands still: " + this->trouble;
    }
    if (!som_request_read(text.data(), text.size(), &request)) {
        return "unknown request; use pause, resume, cancel, start or start NAME";
    }
    const SomPlayerStatus status = som_player_status(som_robot_run_shown(this->run));
    const bool is_over = status == SOM_PLAYER_COMPLETED || status == SOM_PLAYER_CANCELLED;
    const std::string wanted(request.name, request.name_length);
    if (is_over && request.kind != SOM_REQUEST_START) {
        return "the behavior has ended";
    }
    switch (request.kind) {
    case SOM_REQUEST_PAUSE:
        som_robot_run_pause(this->run, &this->senses);
        return status == SOM_PLAYER_PAUSED ? "already paused" : "";
    case SOM_REQUEST_RESUME:
        som_robot_run_resume(this->run);
        return status == SOM_PLAYER_PAUSED ? "" : "not paused";
    case SOM_REQUEST_CANCEL:
        som_robot_run_cancel(this->run, &this->senses);
        return "";
    default:
        for (Behavior &one : this->behaviors) {
            if (wanted.empty() ? &one == this->behavior : one.name == wanted) {
                return this->Start(one);
            }
        }
        return "behavior not found";
    }
}

// On one line, and short.
static std::string quoted(const std::string &text) {
    std::string all = "\"";
    for (const char c : text.substr(0, max_quoted)) {
        all += static_cast<unsigned char>(c) < ' ' || c == '"' ? '?' : c;
    }
    return all + (text.size() > max_quoted ? "…\"" : "\"");
}

void Player::AnswerDropped() {
    std::size_t dropped = 0;
    {
        const std::lock_guard<std::mutex> lock(this->mailbox->mutex);
        std::swap(dropped, this->mailbox->dropped);
    }
    if (dropped > 0) {
        const std::string text = "dropped " + std::to_string(dropped) +
                                 (dropped == 1 ? " request: at most " : " requests: at most ") +
                                 std::to_string(max_requests) + " wait, each of at most " +
                                 std::to_string(max_request) + " bytes";
        SOMITE_ERROR << "somite: model '" << this->name << "': " << text << std::endl;
        this->Publish(this->answers, text);
    }
}

bool Player::Obey() {
    std::deque<std::string> heard;
    {
        const std::lock_guard<std::mutex> lock(this->mailbox->mutex);
        heard.swap(this->mailbox->requests);
    }
    for (const std::string &text : heard) {
        const std::string why = this->Obey(text);
        if (!why.empty()) {
            SOMITE_ERROR << "somite: model '" << this->name << "': request " << quoted(text)
                         << " is refused: " << why << std::endl;
        }
        this->Publish(this->answers, (why.empty() ? "accepted " : "refused ") + quoted(text) +
                                         (why.empty() ? "" : ": " + why));
    }
    return !heard.empty();
}

// ---- the state: when something starts or ends, and now and then

void Player::Tell(double time) {
    std::int32_t changes = 0;
    const SomPlayer *player = som_robot_run_shown(this->run);
    const SomPlayerStatus status = som_player_status(player);
    const std::string outcome = som_outcome_word(som_robot_watch_outcome(&this->watch, this->run));
    som_player_events(player, &changes, nullptr);
    const bool is_over = status == SOM_PLAYER_COMPLETED || status == SOM_PLAYER_CANCELLED;
    const bool is_news = status != this->last_status || outcome != this->last_outcome;
    if (!is_news && !(changes > 0 && !is_over) && time < this->next_state) {
        return;
    }
    if (outcome != this->last_outcome && (is_over || outcome != "running")) {
        SOMITE_NOTE << "somite: model '" << this->name << "': '" << this->behavior->name << "' "
                    << outcome << " after " << som_player_time(player) << " s"
                    << (outcome == "nothing moves" ? ": the world has no physics system" : "")
                    << std::endl;
    }
    this->last_status = status;
    this->last_outcome = outcome;
    this->next_state = time + state_every;
    if (this->publisher && this->publisher.HasConnections()) {
        const SomStateText state{this->run, this->behavior->name.c_str(), outcome.c_str(),
                                 this->piece_places.data(),
                                 static_cast<std::int32_t>(this->piece_places.size())};
        this->line.resize(som_state_text_write(&state, nullptr, 0) + 1);
        som_state_text_write(&state, this->line.data(), this->line.size());
        this->Publish(this->publisher, this->line.data());
    }
}

// ---- the trace

void Player::OpenTrace() {
    if (this->trace.file == nullptr) {
        return;
    }
    const std::string why = this->trace_file.Open(this->trace.file);
    if (!why.empty()) {
        SOMITE_ERROR << "somite: model '" << this->name << "': " << why << "; there is no trace"
                     << std::endl;
    } else if (this->trace_file.Name() != this->trace.file) {
        SOMITE_NOTE << "somite: model '" << this->name << "' writes '" << this->trace_file.Name()
                    << "', since this server has written '" << this->trace.file << "' before"
                    << std::endl;
    }
    this->next_row = 0;
}

void Player::Record(double time) {
    if (!this->trace_file.IsOpen() || time < this->next_row - 1e-9) {
        return;
    }
    std::int32_t touching_now = 0;
    for (const std::uint8_t touch : this->touches) {
        touching_now += touch;
    }
    const auto others = static_cast<std::int32_t>(this->piece_places.size()) - 1;
    const SomTraceRow row{time,
                          &this->body,
                          touching_now,
                          this->positions.data(),
                          this->efforts.data(),
                          static_cast<std::int32_t>(this->dofs.size()),
                          this->piece_places.data() + 1,
                          others};
    const auto put = [&](bool is_header) {
        SomPlayerText text{nullptr, 0, 0};
        for (int pass = 0; pass < 2; pass++) {
            is_header ? som_trace_text_header(&this->behavior->graph, others, &text)
                      : som_trace_text_row(&row, &text);
            if (pass == 0) {
                this->line.resize(text.length + 1);
                text = {this->line.data(), this->line.size(), 0};
            }
        }
        som_player_text_end(&text);
        return this->trace_file.Write(this->line.data());
    };
    std::string why = this->next_row <= 0 ? put(true) : "";
    if (why.empty()) {
        why = put(false);
    }
    if (!why.empty()) {
        SOMITE_ERROR << "somite: model '" << this->name << "': " << why << "; the trace ends after "
                     << time << " s" << std::endl;
    }
    this->next_row = (std::floor(time / this->trace.every + 0.5) + 1) * this->trace.every;
}

} // namespace somite
