import { ssrRenderAttrs } from 'vue/server-renderer';
import { useSSRContext } from 'vue';
import { _ as _export_sfc } from './plugin-vue_export-helper.1tPrXgE0.js';
const __pageData = JSON.parse(
  '{"title":"Media","description":"","frontmatter":{},"headers":[],"relativePath":"rules/media.md","filePath":"docs/rules/media.md"}',
);
const _sfc_main = { name: 'rules/media.md' };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(
    `<div${ssrRenderAttrs(_attrs)}><h1 id="media" tabindex="-1">Media <a class="header-anchor" href="#media" aria-label="Permalink to &quot;Media&quot;">​</a></h1><h2 id="uploads" tabindex="-1">Uploads <a class="header-anchor" href="#uploads" aria-label="Permalink to &quot;Uploads&quot;">​</a></h2><ul><li><strong>MED-1.</strong> An upload is a JPEG, PNG or WebP of at most 10 MB, recognized by its content.¹</li><li><strong>MED-2.</strong> All renditions exist when the upload is answered, upright and without metadata.¹</li><li><strong>MED-3.</strong> Equal content is stored once, even if uploaded concurrently.¹</li><li><strong>MED-9.</strong> Uploading stored content again updates the folder and text that the upload names.¹</li><li><strong>MED-5.</strong> A used media file cannot be deleted, and the 409 lists its uses.¹</li><li><strong>MED-6.</strong> Alternative text and focal point are editable, and a new focal point recreates the renditions before the answer.¹</li><li><strong>MED-7.</strong> Without capacity for an upload the answer is 503 <code>busy</code> with <code>Retry-After</code>.¹</li><li><strong>MED-8.</strong> Files that neither media nor stored menus use are removed.¹</li></ul><h2 id="image-references" tabindex="-1">Image references <a class="header-anchor" href="#image-references" aria-label="Permalink to &quot;Image references&quot;">​</a></h2><ul><li><strong>MED-4.</strong> An image reference has a short relative URL for density 1 and a one-format <code>srcset</code>, and the long URLs remain valid.¹²</li><li><strong>MED-11.</strong> If <code>PUBLIC_MEDIA_URL</code> is set, all storefront image URLs begin with it; otherwise they are relative to the public origin.¹²³⁴⁵</li><li><strong>MED-12.</strong> An image reference has <code>width</code> and <code>height</code> in pixels, which <code>srcset</code> entries multiply by their density.¹²</li><li><strong>MED-14.</strong> <code>alt</code> is the staff text, absent without one so that storefronts use the name, and changes rebuild menus.¹²</li><li><strong>MED-13.</strong> <code>avif</code> in a reference means that each URL also exists with <code>.avif</code> instead of <code>.webp</code>.¹²</li><li><strong>MED-15.</strong> AVIF files are made by uploads and new focal points, and images without them lack <code>avif</code>.¹²</li><li><strong>MED-16.</strong> The AVIF file of a real picture is at least 15% smaller than its WebP file.¹</li><li><strong>MED-10.</strong> The gateway caches pictures for a year as their <code>Cache-Control</code> permits, but no missing ones.¹</li></ul></div>`,
  );
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add('docs/rules/media.md');
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const media = /* @__PURE__ */ _export_sfc(_sfc_main, [['ssrRender', _sfc_ssrRender]]);
export { __pageData, media as default };
