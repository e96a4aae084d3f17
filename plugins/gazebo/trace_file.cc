// SPDX-License-Identifier: Apache-2.0
#include "plugins/gazebo/trace_file.hh"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <mutex>
#include <set>

namespace somite {

// A name that no run in this process has had.
static std::string unused_name(const std::string &wanted) {
    static std::mutex mutex;
    static std::set<std::string> used;
    const std::lock_guard<std::mutex> lock(mutex);
    const std::filesystem::path path(wanted);
    for (int i = 1;; i++) {
        std::filesystem::path name = path;
        if (i > 1) {
            name.replace_filename(path.stem().string() + "-" + std::to_string(i) +
                                  path.extension().string());
        }
        std::error_code ignored;
        if (used.insert(std::filesystem::absolute(name, ignored).lexically_normal().string())
                .second) {
            return name.string();
        }
    }
}

static std::string failure(const std::string &name) {
    const int number = errno;
    return "cannot write '" + name + "'" +
           (number != 0 ? ": " + std::string(std::strerror(number)) : "");
}

std::string TraceFile::Open(const std::string &wanted) {
    this->Close();
    this->name = unused_name(wanted);
    errno = 0;
    this->file.open(this->name, std::ios::trunc);
    return this->file ? "" : failure(this->name);
}

// Every row reaches the disk, so that what is there is complete whenever the server ends.
std::string TraceFile::Write(const char *text) {
    errno = 0;
    this->file << text;
    this->file.flush();
    if (this->file) {
        return "";
    }
    const std::string why = failure(this->name);
    this->Close();
    return why;
}

void TraceFile::Close() {
    this->file.close();
    this->file.clear();
}

} // namespace somite
