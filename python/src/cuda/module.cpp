/// \file
/// The module lookback._cuda: the table's functions on arrays in a GPU's memory. The package's
/// Python code has found or made these arrays. The module is loaded when the first such array
/// comes.
///
/// Arrays are given by their addresses. The Python code knows what lies there, and on which device.
#include <nanobind/nanobind.h>

#include "tensors.hpp"

namespace lookback::python {
namespace {

using on_device::item_type;
using on_device::item_types;
using on_device::place;

void* at(std::uintptr_t address) { return reinterpret_cast<void*>(address); }

std::int64_t* number(std::uintptr_t address) { return static_cast<std::int64_t*>(at(address)); }

std::uint8_t* marks_at(std::uintptr_t address) { return static_cast<std::uint8_t*>(at(address)); }

item_type type_of(int number) {
    if (number < 0 || number >= item_types) throw nb::value_error("lookback: no such type");
    return static_cast<item_type>(number);
}

place place_of(int device, std::uintptr_t stream) { return {device, at(stream)}; }

void scan_axis(int device, std::uintptr_t stream, int in_type, int op, std::uintptr_t in,
               std::size_t outer, std::size_t length, std::size_t inner, int out_type,
               std::uintptr_t out) {
    const nb::gil_scoped_release released;
    on_device::scan_axis(place_of(device, stream), type_of(in_type), operation_at(op), at(in),
                         {outer, length, inner}, type_of(out_type), at(out));
}

bool can_scan(int in_type, int op, int out_type) {
    return on_device::can_scan(type_of(in_type), operation_at(op), type_of(out_type));
}

void linear_recurrence(int device, std::uintptr_t stream, int type, std::uintptr_t a,
                       std::uintptr_t x, std::size_t rows, std::size_t length, std::uintptr_t y) {
    const nb::gil_scoped_release released;
    on_device::linear_recurrence(place_of(device, stream), type_of(type), at(a), at(x), rows,
                                 length, at(y));
}

void select_flagged(int device, std::uintptr_t stream, std::size_t item_bytes, std::uintptr_t in,
                    std::size_t items, std::uintptr_t flags, std::uintptr_t out,
                    std::uintptr_t count) {
    const nb::gil_scoped_release released;
    on_device::select_flagged(place_of(device, stream), item_bytes, at(in), items, marks_at(flags),
                              at(out), number(count));
}

void partition_flagged(int device, std::uintptr_t stream, std::size_t item_bytes, std::uintptr_t in,
                       std::size_t items, std::uintptr_t flags, std::uintptr_t out,
                       std::uintptr_t rest, std::uintptr_t count) {
    const nb::gil_scoped_release released;
    on_device::partition_flagged(place_of(device, stream), item_bytes, at(in), items,
                                 marks_at(flags), at(out), at(rest), number(count));
}

void run_length_encode(int device, std::uintptr_t stream, int type, std::uintptr_t in,
                       std::size_t items, std::uintptr_t out, std::uintptr_t lengths,
                       std::uintptr_t count) {
    const nb::gil_scoped_release released;
    on_device::run_length_encode(place_of(device, stream), type_of(type), at(in), items, at(out),
                                 number(lengths), number(count));
}

void mark_runs(int device, std::uintptr_t stream, int type, std::uintptr_t in, std::size_t items,
               std::uintptr_t marks) {
    const nb::gil_scoped_release released;
    on_device::mark_runs(place_of(device, stream), type_of(type), at(in), items, marks_at(marks));
}

void mark_segments(int device, std::uintptr_t stream, std::uintptr_t offsets, std::size_t segments,
                   std::size_t items, std::uintptr_t marks) {
    const nb::gil_scoped_release released;
    on_device::mark_segments(place_of(device, stream), number(offsets), segments, items,
                             marks_at(marks));
}

void scan_marked(int device, std::uintptr_t stream, int type, int op, std::uintptr_t in,
                 std::size_t items, std::uintptr_t marks, std::uintptr_t out) {
    const nb::gil_scoped_release released;
    on_device::scan_marked(place_of(device, stream), type_of(type), operation_at(op), at(in), items,
                           marks_at(marks), at(out));
}

// `init` has the bytes of one item.
void seed_scans(int device, std::uintptr_t stream, int type, int op, bool is_exclusive,
                std::uintptr_t scans, std::size_t items, std::uintptr_t marks,
                const nb::bytes& init, std::uintptr_t out) {
    if (init.size() != on_device::bytes_of(type_of(type))) {
        throw nb::value_error("lookback: init is not one item");
    }
    const void* const item = init.data();
    const nb::gil_scoped_release released;
    on_device::seed_scans(place_of(device, stream), type_of(type), operation_at(op), is_exclusive,
                          at(scans), items, marks_at(marks), item, at(out));
}

void fold_marked(int device, std::uintptr_t stream, int type, int op, std::uintptr_t in,
                 std::size_t items, std::uintptr_t marks, std::uintptr_t out,
                 std::uintptr_t count) {
    const nb::gil_scoped_release released;
    on_device::fold_marked(place_of(device, stream), type_of(type), operation_at(op), at(in), items,
                           marks_at(marks), at(out), number(count));
}

void fold_segments(int device, std::uintptr_t stream, int type, int op, std::uintptr_t in,
                   std::size_t items, std::uintptr_t offsets, std::size_t segments,
                   std::uintptr_t out, std::uintptr_t room) {
    const nb::gil_scoped_release released;
    on_device::fold_segments(place_of(device, stream), type_of(type), operation_at(op), at(in),
                             items, number(offsets), segments, at(out), at(room));
}

void sum_by_key(int device, std::uintptr_t stream, int keys_type, std::uintptr_t keys,
                int values_type, std::uintptr_t values, std::size_t items, std::uintptr_t keys_out,
                std::uintptr_t values_out, std::uintptr_t count) {
    const nb::gil_scoped_release released;
    on_device::sum_by_key(place_of(device, stream), type_of(keys_type), at(keys),
                          type_of(values_type), at(values), items, at(keys_out), at(values_out),
                          number(count));
}

void sort(int device, std::uintptr_t stream, int type, std::uintptr_t in, std::size_t items,
          std::uintptr_t out, bool is_descending) {
    const nb::gil_scoped_release released;
    on_device::sort(place_of(device, stream), type_of(type), at(in), items, at(out), is_descending);
}

void sort_pairs(int device, std::uintptr_t stream, int keys_type, std::uintptr_t keys,
                std::size_t value_bytes, std::uintptr_t values, std::size_t items,
                std::uintptr_t keys_out, std::uintptr_t values_out, bool is_descending) {
    const nb::gil_scoped_release released;
    on_device::sort_pairs(place_of(device, stream), type_of(keys_type), at(keys), value_bytes,
                          at(values), items, at(keys_out), at(values_out), is_descending);
}

void sort_order(int device, std::uintptr_t stream, int type, std::uintptr_t in, std::size_t items,
                std::uintptr_t order, bool is_descending, std::uintptr_t room) {
    const nb::gil_scoped_release released;
    on_device::sort_order(place_of(device, stream), type_of(type), at(in), items, number(order),
                          is_descending, at(room));
}

void sort_segments(int device, std::uintptr_t stream, int type, std::uintptr_t in,
                   std::size_t items, std::uintptr_t offsets, std::size_t segments,
                   std::uintptr_t out, bool is_descending) {
    const nb::gil_scoped_release released;
    on_device::sort_segments(place_of(device, stream), type_of(type), at(in), items,
                             number(offsets), segments, at(out), is_descending);
}

void sort_segments_order(int device, std::uintptr_t stream, int type, std::uintptr_t in,
                         std::size_t items, std::uintptr_t offsets, std::size_t segments,
                         std::uintptr_t order, bool is_descending) {
    const nb::gil_scoped_release released;
    on_device::sort_segments_order(place_of(device, stream), type_of(type), at(in), items,
                                   number(offsets), segments, number(order), is_descending);
}

void summed_area(int device, std::uintptr_t stream, int type, std::uintptr_t in, std::size_t images,
                 std::size_t height, std::size_t width, std::uintptr_t out) {
    const nb::gil_scoped_release released;
    on_device::summed_area(place_of(device, stream), type_of(type), at(in), {height, width, images},
                           at(out));
}

void box_filter(int device, std::uintptr_t stream, int type, std::uintptr_t in, std::size_t images,
                std::size_t height, std::size_t width, std::int64_t radius, int border,
                std::uintptr_t out) {
    const nb::gil_scoped_release released;
    on_device::box_filter(place_of(device, stream), type_of(type), at(in), {height, width, images},
                          radius, static_cast<image_border>(border), at(out));
}

}  // namespace
}  // namespace lookback::python

NB_MODULE(_cuda, m) {
    using namespace lookback::python;
    m.def("count_devices", &lookback::on_device::count_devices);
    m.def("can_scan", &can_scan, nb::arg("in_type"), nb::arg("op"), nb::arg("out_type"));
    m.def("scan_axis", &scan_axis, nb::arg("device"), nb::arg("stream"), nb::arg("in_type"),
          nb::arg("op"), nb::arg("x"), nb::arg("outer"), nb::arg("length"), nb::arg("inner"),
          nb::arg("out_type"), nb::arg("out"));
    m.def("linear_recurrence", &linear_recurrence, nb::arg("device"), nb::arg("stream"),
          nb::arg("type"), nb::arg("a"), nb::arg("x"), nb::arg("rows"), nb::arg("length"),
          nb::arg("y"));
    m.def("select_flagged", &select_flagged, nb::arg("device"), nb::arg("stream"),
          nb::arg("item_bytes"), nb::arg("x"), nb::arg("items"), nb::arg("flags"), nb::arg("out"),
          nb::arg("count"));
    m.def("partition_flagged", &partition_flagged, nb::arg("device"), nb::arg("stream"),
          nb::arg("item_bytes"), nb::arg("x"), nb::arg("items"), nb::arg("flags"), nb::arg("out"),
          nb::arg("rest"), nb::arg("count"));
    m.def("run_length_encode", &run_length_encode, nb::arg("device"), nb::arg("stream"),
          nb::arg("type"), nb::arg("x"), nb::arg("items"), nb::arg("out"), nb::arg("lengths"),
          nb::arg("count"));
    m.def("mark_runs", &mark_runs, nb::arg("device"), nb::arg("stream"), nb::arg("type"),
          nb::arg("x"), nb::arg("items"), nb::arg("marks"));
    m.def("mark_segments", &mark_segments, nb::arg("device"), nb::arg("stream"), nb::arg("offsets"),
          nb::arg("segments"), nb::arg("items"), nb::arg("marks"));
    m.def("scan_marked", &scan_marked, nb::arg("device"), nb::arg("stream"), nb::arg("type"),
          nb::arg("op"), nb::arg("x"), nb::arg("items"), nb::arg("marks"), nb::arg("out"));
    m.def("seed_scans", &seed_scans, nb::arg("device"), nb::arg("stream"), nb::arg("type"),
          nb::arg("op"), nb::arg("exclusive"), nb::arg("scans"), nb::arg("items"), nb::arg("marks"),
          nb::arg("init"), nb::arg("out"));
    m.def("fold_marked", &fold_marked, nb::arg("device"), nb::arg("stream"), nb::arg("type"),
          nb::arg("op"), nb::arg("x"), nb::arg("items"), nb::arg("marks"), nb::arg("out"),
          nb::arg("count"));
    m.def("segment_folds_room", &lookback::on_device::segment_folds_room, nb::arg("items"),
          nb::arg("segments"));
    m.def("fold_segments", &fold_segments, nb::arg("device"), nb::arg("stream"), nb::arg("type"),
          nb::arg("op"), nb::arg("x"), nb::arg("items"), nb::arg("offsets"), nb::arg("segments"),
          nb::arg("out"), nb::arg("room"));
    m.def("sum_by_key", &sum_by_key, nb::arg("device"), nb::arg("stream"), nb::arg("keys_type"),
          nb::arg("keys"), nb::arg("values_type"), nb::arg("values"), nb::arg("items"),
          nb::arg("keys_out"), nb::arg("values_out"), nb::arg("count"));
    m.def("sort", &sort, nb::arg("device"), nb::arg("stream"), nb::arg("type"), nb::arg("x"),
          nb::arg("items"), nb::arg("out"), nb::arg("descending"));
    m.def("sort_pairs", &sort_pairs, nb::arg("device"), nb::arg("stream"), nb::arg("keys_type"),
          nb::arg("keys"), nb::arg("value_bytes"), nb::arg("values"), nb::arg("items"),
          nb::arg("keys_out"), nb::arg("values_out"), nb::arg("descending"));
    m.def("sort_order", &sort_order, nb::arg("device"), nb::arg("stream"), nb::arg("type"),
          nb::arg("x"), nb::arg("items"), nb::arg("order"), nb::arg("descending"), nb::arg("room"));
    m.def("sort_order_room", &lookback::on_device::sort_order_room, nb::arg("items"));
    m.def("sort_segments", &sort_segments, nb::arg("device"), nb::arg("stream"), nb::arg("type"),
          nb::arg("x"), nb::arg("items"), nb::arg("offsets"), nb::arg("segments"), nb::arg("out"),
          nb::arg("descending"));
    m.def("sort_segments_order", &sort_segments_order, nb::arg("device"), nb::arg("stream"),
          nb::arg("type"), nb::arg("x"), nb::arg("items"), nb::arg("offsets"), nb::arg("segments"),
          nb::arg("order"), nb::arg("descending"));
    m.def("summed_area", &summed_area, nb::arg("device"), nb::arg("stream"), nb::arg("type"),
          nb::arg("x"), nb::arg("images"), nb::arg("height"), nb::arg("width"), nb::arg("out"));
    m.def("box_filter", &box_filter, nb::arg("device"), nb::arg("stream"), nb::arg("type"),
          nb::arg("x"), nb::arg("images"), nb::arg("height"), nb::arg("width"), nb::arg("radius"),
          nb::arg("border"), nb::arg("out"));
    m.def("scan_tensor", &scan_tensor, nb::arg("x"), nb::arg("op"), nb::arg("axis").none(),
          nb::arg("out").none(), nb::arg("keeps_type"));
}
