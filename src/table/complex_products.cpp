#include <stdexcept>

#include "lookback/axis_scan.hpp"
#include "table/arrays.hpp"
#include "table/complex_number.hpp"

namespace lookback::table {

void multiply_complex(dtype part, const void* in, const axis_extents& extents, void* out,
                      int threads) {
    const auto multiply = [&]<class T>(std::type_identity<T>) {
        inclusive_scan(cpu{.threads = threads}, static_cast<const T*>(in), extents,
                       static_cast<T*>(out), multiplies<>{});
    };
    switch (part) {
        case dtype::float32: return multiply(std::type_identity<complex_number<float>>{});
        case dtype::float64: return multiply(std::type_identity<complex_number<double>>{});
        default: throw std::logic_error("lookback: multiply_complex: of floats only");
    }
}

}  // namespace lookback::table
