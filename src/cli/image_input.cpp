#include "image_input.hpp"

#include <cstddef>
#include <utility>
#include <vector>

#include "error.hpp"
#include "mapped_file.hpp"
#include "png.hpp"

namespace lookback::cli {

static void check_name(const std::string& path, std::string_view argument) {
    if (path.empty()) fail("{}: the name is empty; expected that of a file", argument);
    if (path == "-")
        fail("{} -: images are not read from standard input; expected a file", argument);
}

image open_png(const std::string& path, std::string_view argument) {
    check_name(path, argument);
    const mapped_file file(path);
    image picture = read_png(file.bytes(), path);
    file.check_complete();
    return picture;
}

array_input open_image_array(const std::string& path, std::string_view argument) {
    check_name(path, argument);
    if (is_npy(path)) return array_input(path, std::nullopt);
    image picture = open_png(path, argument);
    std::vector<std::size_t> shape{picture.height, picture.width};
    if (picture.channels > 1) shape.push_back(static_cast<std::size_t>(picture.channels));
    return array_input(std::move(picture.samples), picture.type, std::move(shape));
}

}  // namespace lookback::cli
