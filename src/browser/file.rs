//! Texts as files: one to download, one that a person chose.

use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{
    Blob, BlobPropertyBag, CanvasRenderingContext2d, Event, File, HtmlAnchorElement, HtmlCanvasElement, HtmlImageElement,
    HtmlInputElement, Url,
};

use super::window;

/// Reads the file that was chosen in a file input, whose `change` this is; nothing comes of one that can't be read.
pub fn chosen(event: &Event, then: impl FnOnce(String) + 'static) {
    let Some(input) = event.target().and_then(|t| t.dyn_into::<HtmlInputElement>().ok()) else { return };
    let Some(file) = input.files().and_then(|files| files.get(0)) else { return };
    spawn_local(async move {
        if let Some(text) = text(&file).await {
            then(text);
        }
        // So that choosing the same file again is a change.
        input.set_value("");
    });
}

/// What a file says; none of one that can't be read, such as a folder.
pub async fn text(file: &File) -> Option<String> {
    JsFuture::from(file.text()).await.ok()?.as_string()
}

/// A `blob:` URL of a JSON text; the caller gives an old one back with [`release`].
pub fn blob_url(json: &str) -> Option<String> {
    Url::create_object_url_with_blob(&blob_of(json, "application/json")?).ok()
}

/// Frees a `blob:` URL.
pub fn release(url: &str) {
    if !url.is_empty() {
        // Nothing depends on it any more; an error has nobody to tell.
        let _ = Url::revoke_object_url(url);
    }
}

/// Saves a text as a file.
pub fn download(name: &str, text: &str, kind: &str) {
    if let Some(blob) = blob_of(text, kind) {
        save(name, &blob);
    }
}

/// How much larger than on the page a picture is, so that it is sharp in print.
const SCALE: f64 = 2.0;

/// Saves an SVG document as a PNG picture; none if this browser can't draw it.
pub async fn download_picture(name: &str, svg: &str) -> Option<()> {
    let source = Url::create_object_url_with_blob(&blob_of(svg, "image/svg+xml")?).ok()?;
    let image = HtmlImageElement::new().ok()?;
    image.set_src(&source);
    let drawn = draw(&image).await;
    release(&source);
    let canvas = drawn?;
    let promise = js_sys::Promise::new(&mut |resolve, reject| {
        if canvas.to_blob(&resolve).is_err() {
            let _ = reject.call0(&JsValue::UNDEFINED);
        }
    });
    let blob = JsFuture::from(promise).await.ok()?.dyn_into::<Blob>().ok()?;
    save(name, &blob);
    Some(())
}

async fn draw(image: &HtmlImageElement) -> Option<HtmlCanvasElement> {
    JsFuture::from(image.decode()).await.ok()?;
    let document = window().document()?;
    let canvas = document.create_element("canvas").ok()?.dyn_into::<HtmlCanvasElement>().ok()?;
    let (width, height) = (f64::from(image.natural_width()) * SCALE, f64::from(image.natural_height()) * SCALE);
    canvas.set_width(width as u32);
    canvas.set_height(height as u32);
    let context = canvas.get_context("2d").ok()??.dyn_into::<CanvasRenderingContext2d>().ok()?;
    context.draw_image_with_html_image_element_and_dw_and_dh(image, 0.0, 0.0, width, height).ok()?;
    Some(canvas)
}

fn blob_of(text: &str, kind: &str) -> Option<Blob> {
    let options = BlobPropertyBag::new();
    options.set_type(kind);
    Blob::new_with_str_sequence_and_options(&js_sys::Array::of1(&JsValue::from_str(text)), &options).ok()
}

/// A link that nobody sees is clicked.
fn save(name: &str, blob: &Blob) {
    let link = window().document().and_then(|d| d.create_element("a").ok());
    let Some(link) = link.and_then(|link| link.dyn_into::<HtmlAnchorElement>().ok()) else { return };
    let Ok(url) = Url::create_object_url_with_blob(blob) else { return };
    link.set_href(&url);
    link.set_download(name);
    link.click();
    // The download has begun by then.
    super::global::after(std::time::Duration::from_secs(60), move || release(&url));
}
