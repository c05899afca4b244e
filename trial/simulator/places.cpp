// Places in the program's code, by file and line; and how operations there are weakened.
#include <link.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "simulator/failure.hpp"
#include "simulator/gpu.hpp"
#include "simulator/names.hpp"
#include "simulator/weakening.hpp"

namespace lookback::trial {

namespace {

const std::uintptr_t program_begin = [] {
    std::uintptr_t first = 0;
    dl_iterate_phdr(
        [](dl_phdr_info* info, std::size_t, void* to) {
            *static_cast<std::uintptr_t*>(to) = info->dlpi_addr;
            return 1;  // the program itself is the first
        },
        &first);
    return first;
}();

std::string program_path() {
    char path[4096] = {};
    const ssize_t length = readlink("/proc/self/exe", path, sizeof(path) - 1);
    return length > 0 ? std::string(path, static_cast<std::size_t>(length)) : "";
}

// Whether a line is in one of the headers in which the simulator replaces the library's.
bool is_in_machine(const char* line) {
    return std::strncmp(line, "machine.hpp", 11) == 0 ||
           std::strncmp(line, "machine_memory.hpp", 18) == 0 ||
           std::strncmp(line, "machine_copies.hpp", 18) == 0;
}

// The output of addr2line, innermost function first, without the simulator's own functions.
std::string look_up(code_place place) {
    char command[4400];
    std::snprintf(command, sizeof(command), "addr2line -e '%s' -i -f -C -s 0x%x 2>/dev/null",
                  program_path().c_str(), place - 1);
    FILE* const pipe = popen(command, "r");
    if (pipe == nullptr) return "";
    std::string text;
    char function[4096], line[1024];
    int frames = 0;
    while (std::fgets(function, sizeof(function), pipe) != nullptr &&
           std::fgets(line, sizeof(line), pipe) != nullptr) {
        line[std::strcspn(line, "\n ")] = '\0';
        function[std::strcspn(function, "\n")] = '\0';
        if (is_in_machine(line)) continue;
        if (std::strlen(function) > 90) std::strcpy(function + 87, "...");
        if (++frames > 6) continue;
        text += (text.empty() ? "" : "\n       in ") + std::string(line) + " " + function;
    }
    pclose(pipe);
    return text;
}

}  // namespace

code_place place_of(const void* return_address) {
    return static_cast<code_place>(reinterpret_cast<std::uintptr_t>(return_address) -
                                   program_begin);
}

std::string describe(code_place place) {
    if (place == 0) return "the host";
    static std::map<code_place, std::string> known;
    auto& text = known[place];
    if (text.empty()) text = look_up(place);
    return text;
}

std::string name_of(actor who) {
    simulated_gpu& g = gpu();
    if (who.group >= g.group_names.size()) return "somebody";
    std::string kernel;
    if (g.group_kernels[who.group] != nullptr) {
        kernel = describe(place_of(g.group_kernels[who.group]) + 1);
        kernel = " (" + kernel.substr(0, kernel.find('\n')) + ")";
    }
    return "thread or copy " + std::to_string(who.member) + " of " + g.group_names[who.group] +
           kernel;
}

std::string name_of_array(const std::byte* begin) {
    return gpu().is_shared_memory(begin) ? " (shared memory of a block)" : "";
}

weakness weakness_of(const char* operation, code_place place) {
    struct wanted {
        weakness how = weakness::none;
        std::set<code_place> where;
        std::string sites_file;
        wanted() {
            if (const char* file = std::getenv("LOOKBACK_TRIAL_SITES")) sites_file = file;
            const char* text = std::getenv("LOOKBACK_TRIAL_WEAKEN");
            if (text == nullptr) return;
            const std::string all = text;
            const char* const names[] = {"none", "left_out", "unordered", "plain",
                                         "torn", "one_less", "by_block",  "early"};
            const std::string name = all.substr(0, all.find(':'));
            for (int i = 0; i < 8; ++i) {
                if (name == names[i]) how = static_cast<weakness>(i);
            }
            if (how == weakness::none || name == all) {
                throw std::invalid_argument("LOOKBACK_TRIAL_WEAKEN=" + all +
                                            ": expected WEAKNESS:PLACE,PLACE...");
            }
            std::istringstream places(all.substr(name.size() + 1));
            for (std::string one; std::getline(places, one, ',');) {
                where.insert(static_cast<code_place>(std::stoul(one, nullptr, 16)));
            }
        }
    };
    static const wanted mine;
    if (!mine.sites_file.empty()) {
        static std::set<code_place> seen;
        if (seen.insert(place).second) {
            std::ofstream(mine.sites_file, std::ios::app)
                << operation << ' ' << std::hex << place << '\n';
        }
    }
    return mine.how != weakness::none && mine.where.contains(place) ? mine.how : weakness::none;
}

}  // namespace lookback::trial
