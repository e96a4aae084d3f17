// plugins/gazebo/trace_file.hh - a file of a run. Two runs in one server never share one: where
// "walk.csv" is taken, by another robot or by a run before a reset, it is "walk-2.csv".

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fstream>
#include <string>

namespace somite {

class TraceFile {
  public:
    // Both return what is wrong, or nothing; after that the file is closed.
    std::string Open(const std::string &wanted);
    std::string Write(const char *text);
    void Close();
    bool IsOpen() const {
        return this->file.is_open();
    }
    const std::string &Name() const {
        return this->name;
    }

  private:
    std::ofstream file;
    std::string name;
};

} // namespace somite
