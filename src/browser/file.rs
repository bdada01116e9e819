//! A text as a file to download.

use wasm_bindgen::JsValue;
use web_sys::{Blob, BlobPropertyBag, Url};

/// A `blob:` URL of a JSON text; the caller gives an old one back with [`release`].
pub fn blob_url(json: &str) -> Option<String> {
    let parts = js_sys::Array::of1(&JsValue::from_str(json));
    let options = BlobPropertyBag::new();
    options.set_type("application/json");
    let blob = Blob::new_with_str_sequence_and_options(&parts, &options).ok()?;
    Url::create_object_url_with_blob(&blob).ok()
}

/// Frees a `blob:` URL.
pub fn release(url: &str) {
    if !url.is_empty() {
        // Nothing depends on it any more; an error has nobody to tell.
        let _ = Url::revoke_object_url(url);
    }
}
