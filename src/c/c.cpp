// lookback/c.h over the table: an exception becomes a status and a message.
#pragma GCC visibility push(default)  // everything else is hidden
#include "lookback/c.h"
#pragma GCC visibility pop

#include <exception>
#include <memory>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>

#include "c/arguments.hpp"
#include "c/device_calls.hpp"
#include "lookback/version.hpp"
#include "table/arrays.hpp"
#include "table/segment_folds.hpp"
#include "table/table.hpp"

struct lookback_handle {
    int threads = 0;
    std::optional<lookback::on_device::place> device;  // where arrays lie, if on a GPU
    std::string message;
};

namespace {

namespace table = lookback::table;
namespace on_device = lookback::on_device;
using namespace lookback::c;
using table::dtype;
using table::operation;
using table::scalar;

// Leaves the message empty if there is no memory for it.
void say(lookback_handle* handle, const char* message) noexcept {
    try {
        handle->message = message;
    } catch (...) {
        handle->message.clear();
    }
}

template <class Body>
lookback_status run(lookback_handle* handle, const Body& body) {
    if (handle == nullptr) return LOOKBACK_WRONG_ARGUMENT;
    try {
        body();
        return LOOKBACK_OK;
    } catch (const std::invalid_argument& error) {
        say(handle, error.what());
        return LOOKBACK_WRONG_ARGUMENT;
    } catch (const std::bad_alloc&) {
        say(handle, "lookback: out of memory");
        return LOOKBACK_OUT_OF_MEMORY;
    } catch (const std::exception& error) {
        say(handle, error.what());
    } catch (...) {
        say(handle, "lookback: an unknown exception");
    }
    return LOOKBACK_FAILED;
}

template <class Need>
lookback_status tell_room(lookback_handle* handle, size_t* bytes, const Need& need) {
    return run(handle, [&] {
        check_memory(bytes, 1, "place of the size");
        *bytes = handle->device ? need() : 0;
    });
}

}  // namespace

extern "C" {

lookback_status lookback_create(lookback_handle** handle) {
    if (handle == nullptr) return LOOKBACK_WRONG_ARGUMENT;
    *handle = new (std::nothrow) lookback_handle;
    return *handle == nullptr ? LOOKBACK_OUT_OF_MEMORY : LOOKBACK_OK;
}

void lookback_destroy(lookback_handle* handle) { delete handle; }

lookback_status lookback_set_threads(lookback_handle* handle, int threads) {
    return run(handle, [&] {
        lookback::detail::check_threads(threads);
        handle->threads = threads;
    });
}

lookback_status lookback_set_device(lookback_handle* handle, int device, void* stream) {
    return run(handle, [&] {
        on_device::check_device({device, stream});
        handle->device = on_device::place{device, stream};
    });
}

const char* lookback_message(const lookback_handle* handle) {
    return handle == nullptr ? "lookback: no handle" : handle->message.c_str();
}

const char* lookback_version(void) { return lookback::version; }

lookback_status lookback_inclusive_scan(lookback_handle* handle, lookback_type type,
                                        lookback_operation op, const void* in, size_t items,
                                        const void* init, void* out) {
    return run(handle, [&] {
        check_both(in, out, items);
        if (handle->device) {
            return on_device::scan_from(*handle->device, item_type_of(type), operation_of(op),
                                        false, in, items, init, out);
        }
        const auto [t, o] = checked_scan(type, op);
        if (items == 0) return;
        table::scan(t, o, false, in, items, out, seed_of(t, init), handle->threads);
    });
}

lookback_status lookback_exclusive_scan(lookback_handle* handle, lookback_type type,
                                        lookback_operation op, const void* in, size_t items,
                                        const void* init, void* out) {
    return run(handle, [&] {
        check_both(in, out, items);
        if (handle->device) {
            const auto t = item_type_of(type);
            check_bytes_apart(in, out, items * on_device::bytes_of(t));
            return on_device::scan_from(*handle->device, t, operation_of(op), true, in, items, init,
                                        out);
        }
        const auto [t, o] = checked_scan(type, op);
        if (items == 0) return;
        check_apart(in, items, out, t);
        const scalar first = init == nullptr ? table::identity_of(t, o) : scalar(t, init);
        first.put(t, out);
        if (items == 1) return;
        table::scan(t, o, false, in, items - 1, static_cast<std::byte*>(out) + table::size_of(t),
                    first, handle->threads);
    });
}

lookback_status lookback_scan_axis(lookback_handle* handle, lookback_type type,
                                   lookback_operation op, const void* in, size_t outer,
                                   size_t length, size_t inner, void* out) {
    return run(handle, [&] {
        if (handle->device) {
            return scan_there(*handle->device, type, op, in, {outer, length, inner}, type, out);
        }
        const dtype t = checked(type);
        const operation o = checked(op, t);
        if (table::is_bitwise(o)) refuse("op", op, "sum, product, min or max along an axis");
        if (outer == 0 || length == 0 || inner == 0) return;
        table::scan_axis(t, o, in, {outer, length, inner}, out, handle->threads);
    });
}

lookback_status lookback_sum_in(lookback_handle* handle, lookback_type type, const void* in,
                                size_t items, lookback_type sums, void* out) {
    return run(handle, [&] {
        if (handle->device) {
            return scan_there(*handle->device, type, LOOKBACK_SUM, in, {1, items, 1}, sums, out);
        }
        const dtype from = checked(type);
        const dtype to = checked(sums);
        if (!table::can_sum_in(from, to)) refuse("sums", sums, "a wider type of 64 bits");
        if (items == 0) return;
        table::sum_in(from, in, items, to, out, handle->threads);
    });
}

lookback_status lookback_reduce_segments_room(lookback_handle* handle, size_t items,
                                              size_t segments, size_t* bytes) {
    return tell_room(handle, bytes, [&] { return on_device::segment_folds_room(items, segments); });
}

lookback_status lookback_sort_order_room(lookback_handle* handle, size_t items, size_t* bytes) {
    return tell_room(handle, bytes, [&] { return on_device::sort_order_room(items); });
}

lookback_status lookback_select(lookback_handle* handle, size_t item_bytes, const void* in,
                                size_t items, const uint8_t* flags, void* out, size_t* kept) {
    return run(handle, [&] {
        check_item_bytes(item_bytes);
        if (handle->device) {
            check_memory(flags, items, "flags");
            return on_device::select_flagged(*handle->device, item_bytes, in, items, flags, out,
                                             count_at(kept));
        }
        check_memory(kept, 1, "place of the count");
        *kept = table::select_flagged(item_bytes, in, items, flags, false, out, handle->threads);
    });
}

lookback_status lookback_unique(lookback_handle* handle, lookback_type type, const void* in,
                                size_t items, void* out, int64_t* lengths, size_t* runs) {
    return run(handle, [&] {
        if (handle->device) {
            if (lengths == nullptr) refuse_on_device("unique without lengths");
            return on_device::run_length_encode(*handle->device, item_type_of(type), in, items, out,
                                                lengths, count_at(runs));
        }
        const dtype t = checked(type);
        check_memory(runs, 1, "place of the count");
        const table::machine where{.threads = handle->threads};
        *runs = lengths == nullptr ? table::unique(where, t, in, items, out)
                                   : table::run_length_encode(where, t, in, items, out, lengths);
    });
}

lookback_status lookback_reduce_segments(lookback_handle* handle, lookback_type type,
                                         lookback_operation op, const void* in, size_t items,
                                         const int64_t* offsets, size_t segments, void* out,
                                         void* room, size_t room_bytes) {
    return run(handle, [&] {
        check_memory(offsets, 1, "array of offsets");
        check_memory(in, items, "input");
        check_memory(out, segments, "output");
        if (handle->device) {
            const std::size_t need = on_device::segment_folds_room(items, segments);
            return on_device::fold_segments(*handle->device, item_type_of(type), operation_of(op),
                                            in, items, offsets, segments, out,
                                            checked_room(room, room_bytes, need));
        }
        const dtype t = checked(type);
        const operation o = checked(op, t);
        table::reduce_offsets(t, o, in, items, offsets, segments, out, handle->threads);
    });
}

lookback_status lookback_sort(lookback_handle* handle, lookback_type type, const void* in,
                              size_t items, int descending, void* out) {
    return run(handle, [&] {
        check_both(in, out, items);
        if (handle->device) {
            return on_device::sort(*handle->device, item_type_of(type), in, items, out,
                                   descending != 0);
        }
        const dtype t = checked(type);
        if (items == 0) return;
        if (in != out) check_apart(in, items, out, t);
        table::sort_rows(t, in, 1, items, out, descending != 0, handle->threads);
    });
}

lookback_status lookback_sort_order(lookback_handle* handle, lookback_type type, const void* in,
                                    size_t items, int descending, int64_t* order, void* room,
                                    size_t room_bytes) {
    return run(handle, [&] {
        check_both(in, order, items);
        if (handle->device) {
            const std::size_t need = on_device::sort_order_room(items);
            return on_device::sort_order(*handle->device, item_type_of(type), in, items, order,
                                         descending != 0, checked_room(room, room_bytes, need));
        }
        const dtype t = checked(type);
        if (items == 0) return;
        table::sort_order_rows(t, in, 1, items, order, descending != 0, handle->threads);
    });
}

lookback_status lookback_linear_recurrence(lookback_handle* handle, lookback_type type,
                                           const void* a, const void* x, size_t items,
                                           const void* init, void* y) {
    return run(handle, [&] {
        if (handle->device) {
            if (init != nullptr) refuse_on_device("linear recurrence with an initial value");
            return on_device::linear_recurrence(*handle->device, item_type_of(type), a, x, 1, items,
                                                y);
        }
        const dtype t = checked(type);
        if (!table::is_float(t)) refuse("type", type, "float32 or float64");
        check_memory(a, items, "array of factors");
        check_memory(x, items, "input");
        check_memory(y, items, "output");
        if (items == 0) return;
        table::linear_recurrence(t, false, a, x, init, {1, items, 1, 0}, y, handle->threads);
    });
}

}  // extern "C"
