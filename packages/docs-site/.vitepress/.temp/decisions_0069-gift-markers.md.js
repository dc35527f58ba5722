import { ssrRenderAttrs } from 'vue/server-renderer';
import { useSSRContext } from 'vue';
import { _ as _export_sfc } from './plugin-vue_export-helper.1tPrXgE0.js';
const __pageData = JSON.parse(
  '{"title":"69. ERP gift markers are compared and cleared by reading the customer card","description":"","frontmatter":{},"headers":[],"relativePath":"decisions/0069-gift-markers.md","filePath":"docs/decisions/0069-gift-markers.md"}',
);
const _sfc_main = { name: 'decisions/0069-gift-markers.md' };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(
    `<div${ssrRenderAttrs(_attrs)}><h1 id="69-erp-gift-markers-are-compared-and-cleared-by-reading-the-customer-card" tabindex="-1">69. ERP gift markers are compared and cleared by reading the customer card <a class="header-anchor" href="#69-erp-gift-markers-are-compared-and-cleared-by-reading-the-customer-card" aria-label="Permalink to &quot;69. ERP gift markers are compared and cleared by reading the customer card&quot;">​</a></h1><h2 id="status" tabindex="-1">Status <a class="header-anchor" href="#status" aria-label="Permalink to &quot;Status&quot;">​</a></h2><p>Accepted.</p><h2 id="context" tabindex="-1">Context <a class="header-anchor" href="#context" aria-label="Permalink to &quot;Context&quot;">​</a></h2><p>Operators promise a gift with a category on the customer&#39;s card or a block <code>[COMP]name[/COMP]</code> in its comment. The ERP has no versions, ids or dates for them, people edit the same comment, and a call may succeed without an answer.</p><h2 id="decision" tabindex="-1">Decision <a class="header-anchor" href="#decision" aria-label="Permalink to &quot;Decision&quot;">​</a></h2><ul><li>Each marker is a row with a generation. One comparison of stored and observed markers decides what is granted, in conflict, returned or gone.</li><li>Only a reading proves that a marker is absent; our own write does not.</li><li>A redeemed right writes <code>marker_clearing</code> and the event <code>MarkersWait</code> in its transaction (<code>moveRights</code>). One workflow per client and kind (<code>comment-clear/{client}</code>, <code>category-clear/{client}</code>) clears one marker at a time.</li><li>A comment is written only if a reading directly before shows it unchanged and without broken tags.</li><li>While a comment contains a damaged block, no marker counts as gone; the repaired block would grant a second gift.</li><li>Retries back off from 5 s to one hour without an end; a redeemed right cannot be used again.</li></ul><h2 id="consequences" tabindex="-1">Consequences <a class="header-anchor" href="#consequences" aria-label="Permalink to &quot;Consequences&quot;">​</a></h2><ul><li>Text written between our last reading and our write is overwritten. <code>isAsWritten</code> records the result.</li><li>A promise added between our write and the next reading is cleared. An operator who saves an old form creates a new promise.</li></ul><h2 id="rejected-options" tabindex="-1">Rejected options <a class="header-anchor" href="#rejected-options" aria-label="Permalink to &quot;Rejected options&quot;">​</a></h2><ul><li>Our write as proof of absence: an old form may be saved a moment later.</li><li>Patterns instead of phrases: a slow pattern would affect guests.</li></ul></div>`,
  );
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add('docs/decisions/0069-gift-markers.md');
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0069GiftMarkers = /* @__PURE__ */ _export_sfc(_sfc_main, [['ssrRender', _sfc_ssrRender]]);
export { __pageData, _0069GiftMarkers as default };
