import { ssrRenderAttrs } from 'vue/server-renderer';
import { useSSRContext } from 'vue';
import { _ as _export_sfc } from './plugin-vue_export-helper.1tPrXgE0.js';
const __pageData = JSON.parse(
  '{"title":"6. Images are rendered at upload, named by content, and kept while any revision shows them","description":"","frontmatter":{},"headers":[],"relativePath":"decisions/0006-media.md","filePath":"docs/decisions/0006-media.md"}',
);
const _sfc_main = { name: 'decisions/0006-media.md' };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(
    `<div${ssrRenderAttrs(_attrs)}><h1 id="6-images-are-rendered-at-upload-named-by-content-and-kept-while-any-revision-shows-them" tabindex="-1">6. Images are rendered at upload, named by content, and kept while any revision shows them <a class="header-anchor" href="#6-images-are-rendered-at-upload-named-by-content-and-kept-while-any-revision-shows-them" aria-label="Permalink to &quot;6. Images are rendered at upload, named by content, and kept while any revision shows them&quot;">​</a></h1><h2 id="status" tabindex="-1">Status <a class="header-anchor" href="#status" aria-label="Permalink to &quot;Status&quot;">​</a></h2><p>Accepted.</p><h2 id="context" tabindex="-1">Context <a class="header-anchor" href="#context" aria-label="Permalink to &quot;Context&quot;">​</a></h2><p>Editors want to see uploads at once, storefronts want small files with immutable URLs, and several hosts share one store. A rollback can show an image that staff deleted.</p><h2 id="decision" tabindex="-1">Decision <a class="header-anchor" href="#decision" aria-label="Permalink to &quot;Decision&quot;">​</a></h2><ul><li><code>sharp</code> renders all renditions before the answer, in a bounded pool. A full pool returns 503.</li><li>Files are named by content and stored by <code>flydrive</code> in a folder or S3 bucket (<code>MEDIA_STORE</code>). The API serves them, so buckets stay private.</li><li>An image that a product, category or modifier uses (<code>modules/catalog/media-usages.ts</code>) cannot be deleted: 409 <code>media-in-use</code>.</li><li>Deleted images and replaced crops stay in <code>media_retired</code> until no kept revision shows them, at least one day.</li><li>Rejected: formats other than JPEG, PNG and WebP, more than 50 megapixels, and files that do not decode within ten seconds. Renditions have no metadata; the original has no URL.</li><li><code>mediaSweep</code> removes files without a row older than <code>MEDIA_ORPHAN_GRACE</code> (24 h). Uploads and removals take claims (<code>media_claim</code>).</li></ul><h2 id="consequences" tabindex="-1">Consequences <a class="header-anchor" href="#consequences" aria-label="Permalink to &quot;Consequences&quot;">​</a></h2><ul><li>A database without images removes nothing. Two installations must not share a store.</li></ul><h2 id="rejected-options" tabindex="-1">Rejected options <a class="header-anchor" href="#rejected-options" aria-label="Permalink to &quot;Rejected options&quot;">​</a></h2><ul><li>Counting published menus as usage: a replaced image could not be deleted for two weeks.</li></ul></div>`,
  );
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add('docs/decisions/0006-media.md');
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0006Media = /* @__PURE__ */ _export_sfc(_sfc_main, [['ssrRender', _sfc_ssrRender]]);
export { __pageData, _0006Media as default };
