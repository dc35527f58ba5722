import { ssrRenderAttrs } from 'vue/server-renderer';
import { useSSRContext } from 'vue';
import { _ as _export_sfc } from './plugin-vue_export-helper.1tPrXgE0.js';
const __pageData = JSON.parse(
  '{"title":"154. Exports are read page by page, and an incomplete one is visible","description":"","frontmatter":{},"headers":[],"relativePath":"decisions/0154-data-out.md","filePath":"docs/decisions/0154-data-out.md"}',
);
const _sfc_main = { name: 'decisions/0154-data-out.md' };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(
    `<div${ssrRenderAttrs(_attrs)}><h1 id="154-exports-are-read-page-by-page-and-an-incomplete-one-is-visible" tabindex="-1">154. Exports are read page by page, and an incomplete one is visible <a class="header-anchor" href="#154-exports-are-read-page-by-page-and-an-incomplete-one-is-visible" aria-label="Permalink to &quot;154. Exports are read page by page, and an incomplete one is visible&quot;">​</a></h1><h2 id="status" tabindex="-1">Status <a class="header-anchor" href="#status" aria-label="Permalink to &quot;Status&quot;">​</a></h2><p>Accepted.</p><h2 id="context" tabindex="-1">Context <a class="header-anchor" href="#context" aria-label="Permalink to &quot;Context&quot;">​</a></h2><p>Accountants and editors need lists as files. A long statement or cursor occupies a connection and an old snapshot, and the time-out ends it. An export that fails midway looks like a short list.</p><h2 id="decision" tabindex="-1">Decision <a class="header-anchor" href="#decision" aria-label="Permalink to &quot;Decision&quot;">​</a></h2><ul><li>An export reads the list by its own cursors, 500 rows a statement, with the list&#39;s filters and permissions.</li><li>Nothing is open between pages. A slow client occupies one of two places of the process until its connection is silent for a minute.</li><li>An error cuts the connection. JSONL ends with <code>{&quot;end&quot;:true,&quot;rows&quot;:…}</code>.</li><li>The audit has an entry before the first row and one at the end.</li><li><code>POST /products/import-texts</code> is PLAN, then APPLY. The token is a digest of the changes with their former values, so a changed sheet or product is refused.</li></ul><h2 id="consequences" tabindex="-1">Consequences <a class="header-anchor" href="#consequences" aria-label="Permalink to &quot;Consequences&quot;">​</a></h2><ul><li>A CSV file does not prove that it is complete; JSONL does.</li></ul><h2 id="rejected-options" tabindex="-1">Rejected options <a class="header-anchor" href="#rejected-options" aria-label="Permalink to &quot;Rejected options&quot;">​</a></h2><ul><li>HTTP trailers: gateways drop them.</li><li>A permission for exports: readers of pages may read them at once.</li></ul></div>`,
  );
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add('docs/decisions/0154-data-out.md');
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0154DataOut = /* @__PURE__ */ _export_sfc(_sfc_main, [['ssrRender', _sfc_ssrRender]]);
export { __pageData, _0154DataOut as default };
