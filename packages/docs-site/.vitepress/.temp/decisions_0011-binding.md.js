import { ssrRenderAttrs } from 'vue/server-renderer';
import { useSSRContext } from 'vue';
import { _ as _export_sfc } from './plugin-vue_export-helper.1tPrXgE0.js';
const __pageData = JSON.parse(
  '{"title":"11. Variants are bound to ERP items, and each import reevaluates all bindings","description":"","frontmatter":{},"headers":[],"relativePath":"decisions/0011-binding.md","filePath":"docs/decisions/0011-binding.md"}',
);
const _sfc_main = { name: 'decisions/0011-binding.md' };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(
    `<div${ssrRenderAttrs(_attrs)}><h1 id="11-variants-are-bound-to-erp-items-and-each-import-reevaluates-all-bindings" tabindex="-1">11. Variants are bound to ERP items, and each import reevaluates all bindings <a class="header-anchor" href="#11-variants-are-bound-to-erp-items-and-each-import-reevaluates-all-bindings" aria-label="Permalink to &quot;11. Variants are bound to ERP items, and each import reevaluates all bindings&quot;">​</a></h1><h2 id="status" tabindex="-1">Status <a class="header-anchor" href="#status" aria-label="Permalink to &quot;Status&quot;">​</a></h2><p>Accepted.</p><h2 id="context" tabindex="-1">Context <a class="header-anchor" href="#context" aria-label="Permalink to &quot;Context&quot;">​</a></h2><p>ERP dishes disappear, return and are renamed. Staff must notice a lost dish without hiding products for a short gap, and see why a product is missing.</p><h2 id="decision" tabindex="-1">Decision <a class="header-anchor" href="#decision" aria-label="Permalink to &quot;Decision&quot;">​</a></h2><ul><li><code>modules/binding/rules/binding-states.ts</code> is a state table, evaluated from top to bottom.</li><li>Replacements are searched among items first seen after the last import with the lost item (<code>last_run</code>), because the new dish usually appears hours before the old one is deleted.</li><li>Grace counts committed imports of the item&#39;s menus after the deletion. A timer ends the window if no import follows.</li><li>Every import evaluates all variants; reading everything costs less than tracking changes.</li><li>A published product without a bound variant is hidden (NO_LIVE_VARIANT). A return does not publish it again.</li><li>Commands about variants lock the product row. Adding and removing also wait for evaluations.</li><li>Former slugs stay taken. <code>GET /products/{slug}</code> with one returns the product with <code>Content-Location</code> and a canonical link.</li></ul><h2 id="consequences" tabindex="-1">Consequences <a class="header-anchor" href="#consequences" aria-label="Permalink to &quot;Consequences&quot;">​</a></h2><ul><li><code>ErpMenuImported</code> is written for unchanged revisions too, because grace windows depend on it.</li><li>A bulk request runs one transaction per product, at most 500; products locked for 3 s are BUSY.</li></ul><h2 id="rejected-options" tabindex="-1">Rejected options <a class="header-anchor" href="#rejected-options" aria-label="Permalink to &quot;Rejected options&quot;">​</a></h2><ul><li>Redirects for former slugs: apps would need a second request.</li></ul></div>`,
  );
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add('docs/decisions/0011-binding.md');
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0011Binding = /* @__PURE__ */ _export_sfc(_sfc_main, [['ssrRender', _sfc_ssrRender]]);
export { __pageData, _0011Binding as default };
