//! The library from Rust, through lookback/c.h: sums, a selection, and the message of an error.
//! The program checks its results.

use std::ffi::CStr;
use std::os::raw::{c_char, c_int, c_void};
use std::ptr;

#[repr(C)]
struct Handle {
    _private: [u8; 0],
}

// The functions of lookback/c.h that this program calls. The enumerations of C are integers here.
const OK: c_int = 0;
const INT32: c_int = 2;
const FLOAT32: c_int = 8;
const SUM: c_int = 0;
const XOR: c_int = 6;

extern "C" {
    fn lookback_create(handle: *mut *mut Handle) -> c_int;
    fn lookback_destroy(handle: *mut Handle);
    fn lookback_message(handle: *const Handle) -> *const c_char;
    fn lookback_inclusive_scan(
        handle: *mut Handle,
        of: c_int,
        op: c_int,
        input: *const c_void,
        items: usize,
        init: *const c_void,
        out: *mut c_void,
    ) -> c_int;
    fn lookback_select(
        handle: *mut Handle,
        item_bytes: usize,
        input: *const c_void,
        items: usize,
        flags: *const u8,
        out: *mut c_void,
        kept: *mut usize,
    ) -> c_int;
}

/// The types that this program scans.
trait Item: Copy + Default {
    const TYPE: c_int;
}
impl Item for i32 {
    const TYPE: c_int = INT32;
}
impl Item for f32 {
    const TYPE: c_int = FLOAT32;
}

/// A handle that is destroyed at the end of its scope. Calls take it by `&mut`, because calls with
/// one handle must not run at the same time.
struct Lookback(*mut Handle);

impl Lookback {
    fn new() -> Self {
        let mut handle = ptr::null_mut();
        let status = unsafe { lookback_create(&mut handle) };
        assert_eq!(status, OK, "lookback_create");
        Lookback(handle)
    }

    fn result_of<T>(&self, status: c_int, value: T) -> Result<T, String> {
        if status == OK {
            return Ok(value);
        }
        let message = unsafe { CStr::from_ptr(lookback_message(self.0)) };
        Err(message.to_string_lossy().into_owned())
    }

    fn inclusive_scan<T: Item>(&mut self, op: c_int, input: &[T]) -> Result<Vec<T>, String> {
        let mut out = vec![T::default(); input.len()];
        let status = unsafe {
            lookback_inclusive_scan(
                self.0,
                T::TYPE,
                op,
                input.as_ptr().cast(),
                input.len(),
                ptr::null(),
                out.as_mut_ptr().cast(),
            )
        };
        self.result_of(status, out)
    }

    fn select<T: Item>(
        &mut self,
        input: &[T],
        wanted: impl Fn(T) -> bool,
    ) -> Result<Vec<T>, String> {
        let flags: Vec<u8> = input.iter().map(|&x| wanted(x).into()).collect();
        let mut out = vec![T::default(); input.len()];
        let mut kept = 0;
        let status = unsafe {
            lookback_select(
                self.0,
                std::mem::size_of::<T>(),
                input.as_ptr().cast(),
                input.len(),
                flags.as_ptr(),
                out.as_mut_ptr().cast(),
                &mut kept,
            )
        };
        out.truncate(kept);
        self.result_of(status, out)
    }
}

impl Drop for Lookback {
    fn drop(&mut self) {
        unsafe { lookback_destroy(self.0) }
    }
}

fn main() -> Result<(), String> {
    let mut lb = Lookback::new();
    let x = [3, 1, 7, 0, 4, 1, 6, 3];
    let sums = lb.inclusive_scan(SUM, &x)?;
    println!("{sums:?}");
    assert_eq!(sums, [3, 4, 11, 11, 15, 16, 22, 25]);
    assert_eq!(lb.select(&x, |x| x > 3)?, [7, 4, 6]);

    // A wrong call has a message.
    let message = lb.inclusive_scan(XOR, &[0.5_f32]).unwrap_err();
    println!("{message}");
    assert!(message.contains("bitwise"));
    Ok(())
}
