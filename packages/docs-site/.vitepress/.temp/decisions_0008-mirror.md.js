import { ssrRenderAttrs } from 'vue/server-renderer';
import { useSSRContext } from 'vue';
import { _ as _export_sfc } from './plugin-vue_export-helper.1tPrXgE0.js';
const __pageData = JSON.parse(
  '{"title":"8. Imports mirror the ERP by item identity and rewrite only what changed","description":"","frontmatter":{},"headers":[],"relativePath":"decisions/0008-mirror.md","filePath":"docs/decisions/0008-mirror.md"}',
);
const _sfc_main = { name: 'decisions/0008-mirror.md' };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(
    `<div${ssrRenderAttrs(_attrs)}><h1 id="8-imports-mirror-the-erp-by-item-identity-and-rewrite-only-what-changed" tabindex="-1">8. Imports mirror the ERP by item identity and rewrite only what changed <a class="header-anchor" href="#8-imports-mirror-the-erp-by-item-identity-and-rewrite-only-what-changed" aria-label="Permalink to &quot;8. Imports mirror the ERP by item identity and rewrite only what changed&quot;">​</a></h1><h2 id="status" tabindex="-1">Status <a class="header-anchor" href="#status" aria-label="Permalink to &quot;Status&quot;">​</a></h2><p>Accepted.</p><h2 id="context" tabindex="-1">Context <a class="header-anchor" href="#context" aria-label="Permalink to &quot;Context&quot;">​</a></h2><p>The ERP sends whole menus every few minutes. Several menus list the same dishes, two imports can run at once, and an answer may contain errors that no schema excludes.</p><h2 id="decision" tabindex="-1">Decision <a class="header-anchor" href="#decision" aria-label="Permalink to &quot;Decision&quot;">​</a></h2><ul><li>An item is the ERP&#39;s UUID plus its role (DISH or MODIFIER); a size is (item, size id or empty). <code>menuItemId</code> and <code>menuItemSizeId</code> identify placements only.</li><li>Narrow membership tables carry run marks. Items, prices and links are rewritten only if they differ.</li><li>Only full runs delete. Every run replaces groups and links of the dishes it contains. A size without a price keeps its last price and gets <code>lost_at</code>.</li><li>After its inserts, an import locks all items of its answer and menu in id order until it commits. Error 40P01 is retried.</li><li>PLAN runs the full import and rolls back to a savepoint.</li><li>A negative price, or one above 1,000,000,000 rubles, counts as absent (INVALID_PRICE). A nameless modifier group gets a name. Combos are skipped (COMBO_LEFT_OUT).</li></ul><h2 id="consequences" tabindex="-1">Consequences <a class="header-anchor" href="#consequences" aria-label="Permalink to &quot;Consequences&quot;">​</a></h2><ul><li>Prices and links have no foreign keys: checking them took longer than writing.</li><li>Switching a menu off keeps its rows and opens no incidents.</li><li>Only <code>modules/mirror</code> writes <code>mirror_*</code> tables; a test scans every statement.</li></ul><h2 id="rejected-options" tabindex="-1">Rejected options <a class="header-anchor" href="#rejected-options" aria-label="Permalink to &quot;Rejected options&quot;">​</a></h2><ul><li>A product per combo: orders would need the ERP&#39;s combo operations.</li></ul></div>`,
  );
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add('docs/decisions/0008-mirror.md');
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0008Mirror = /* @__PURE__ */ _export_sfc(_sfc_main, [['ssrRender', _sfc_ssrRender]]);
export { __pageData, _0008Mirror as default };
