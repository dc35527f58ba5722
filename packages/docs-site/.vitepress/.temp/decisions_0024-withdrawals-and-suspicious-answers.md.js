import { ssrRenderAttrs } from 'vue/server-renderer';
import { useSSRContext } from 'vue';
import { _ as _export_sfc } from './plugin-vue_export-helper.1tPrXgE0.js';
const __pageData = JSON.parse(
  '{"title":"24. ERP answers that remove data are confirmed before they apply","description":"","frontmatter":{},"headers":[],"relativePath":"decisions/0024-withdrawals-and-suspicious-answers.md","filePath":"docs/decisions/0024-withdrawals-and-suspicious-answers.md"}',
);
const _sfc_main = { name: 'decisions/0024-withdrawals-and-suspicious-answers.md' };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(
    `<div${ssrRenderAttrs(_attrs)}><h1 id="24-erp-answers-that-remove-data-are-confirmed-before-they-apply" tabindex="-1">24. ERP answers that remove data are confirmed before they apply <a class="header-anchor" href="#24-erp-answers-that-remove-data-are-confirmed-before-they-apply" aria-label="Permalink to &quot;24. ERP answers that remove data are confirmed before they apply&quot;">​</a></h1><h2 id="status" tabindex="-1">Status <a class="header-anchor" href="#status" aria-label="Permalink to &quot;Status&quot;">​</a></h2><p>Accepted.</p><h2 id="context" tabindex="-1">Context <a class="header-anchor" href="#context" aria-label="Permalink to &quot;Context&quot;">​</a></h2><p>Most ERP answers replace what Carte stores, so a valid but incomplete answer closes restaurants. A menu without categories counted as empty, and a batch without prices ended every dish. Conditions such as &quot;this menu counts&quot; differed between eleven statements.</p><h2 id="decision" tabindex="-1">Decision <a class="header-anchor" href="#decision" aria-label="Permalink to &quot;Decision&quot;">​</a></h2><ul><li>A menu missing from one ERP list only stops its imports. The second list in a row withdraws it: dishes keep their last price with <code>available: false</code> (MENU_WITHDRAWN).</li><li>A response without <code>categories</code> is invalid, unless it has the requested revision.</li><li>Every run checks each organization. One that would lose at least ten prices and a share above the threshold keeps them. The run fails if more than half would (MIR-44, MIR-63).</li><li>A suspicious list (EMPTY_LIST, SUSPICIOUS_LIST) is requested again after 30 s and accepted only if it removes the same entries (MIR-45).</li><li>Accepting a shrink is bound to the menu and share, expires after 24 hours, and is used once.</li><li>Database views define conditions once: <code>importable_connection</code>, <code>served_organization</code>, <code>enabled_menu</code>, <code>live_menu</code>, <code>menu_of_organization</code>, <code>unsold_item</code>.</li></ul><h2 id="consequences" tabindex="-1">Consequences <a class="header-anchor" href="#consequences" aria-label="Permalink to &quot;Consequences&quot;">​</a></h2><ul><li>A disabled connection keeps its restaurants open but names no items; other connections of the same restaurants take over.</li></ul><h2 id="rejected-options" tabindex="-1">Rejected options <a class="header-anchor" href="#rejected-options" aria-label="Permalink to &quot;Rejected options&quot;">​</a></h2><ul><li>Selling at unconfirmed prices: the ERP would refuse the order.</li><li>Ranking by the last list: an incomplete list changed prices twice within two hours.</li></ul></div>`,
  );
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add(
    'docs/decisions/0024-withdrawals-and-suspicious-answers.md',
  );
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0024WithdrawalsAndSuspiciousAnswers = /* @__PURE__ */ _export_sfc(_sfc_main, [['ssrRender', _sfc_ssrRender]]);
export { __pageData, _0024WithdrawalsAndSuspiciousAnswers as default };
