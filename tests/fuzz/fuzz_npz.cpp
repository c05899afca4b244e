// Any bytes give a .npz file with one array, or a one-line error.

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "error.hpp"
#include "npz.hpp"
#include "npz_bytes.hpp"

using namespace lookback::cli;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    for (const char* array : {"", "x"}) {
        try {
            read_from_npz(bytes, {"x.npz", array});
        } catch (const error& problem) {
            const std::string_view said = problem.what();
            if (!said.starts_with("x.npz") || said.find('\n') != said.npos) std::abort();
        }
    }
    return 0;
}
