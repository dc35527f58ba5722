import { ssrRenderAttrs } from 'vue/server-renderer';
import { useSSRContext } from 'vue';
import { _ as _export_sfc } from './plugin-vue_export-helper.1tPrXgE0.js';
const __pageData = JSON.parse(
  '{"title":"48. Carts, preflight and orders share one evaluation of one database state","description":"","frontmatter":{},"headers":[],"relativePath":"decisions/0048-carts-and-checkout.md","filePath":"docs/decisions/0048-carts-and-checkout.md"}',
);
const _sfc_main = { name: 'decisions/0048-carts-and-checkout.md' };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(
    `<div${ssrRenderAttrs(_attrs)}><h1 id="48-carts-preflight-and-orders-share-one-evaluation-of-one-database-state" tabindex="-1">48. Carts, preflight and orders share one evaluation of one database state <a class="header-anchor" href="#48-carts-preflight-and-orders-share-one-evaluation-of-one-database-state" aria-label="Permalink to &quot;48. Carts, preflight and orders share one evaluation of one database state&quot;">​</a></h1><h2 id="status" tabindex="-1">Status <a class="header-anchor" href="#status" aria-label="Permalink to &quot;Status&quot;">​</a></h2><p>Accepted.</p><h2 id="context" tabindex="-1">Context <a class="header-anchor" href="#context" aria-label="Permalink to &quot;Context&quot;">​</a></h2><p>Guests change a cart on several devices while dishes stop, prices change and discounts end. They must never pay for something unseen, and never twice. Three separate checks would disagree.</p><h2 id="decision" tabindex="-1">Decision <a class="header-anchor" href="#decision" aria-label="Permalink to &quot;Decision&quot;">​</a></h2><ul><li>The lines are one <code>jsonb</code> column; a guest sends the whole composition, and the version covers it.</li><li>Cart and facts are read in one REPEATABLE READ transaction. The later of two writers fails (40001), runs again and returns 409. A row lock is not enough: facts would still belong to the earlier state.</li><li><code>evaluateCart</code> is pure. <code>modules/ordering/rules/gate.ts</code> lists rules with <code>input</code> and <code>judge</code>; all run, and a decision stores its inputs.</li><li>Preflight removes what cannot be sold and reports it until a request names that version. Unknown facts block nothing.</li><li>Delivery terms are those of the slot&#39;s start. The stop-list of the serving terminal group decides alone.</li><li>A quote stores sums and a digest of all terms. Equal terms keep the sums. A refusal is decided without the quote, so that it does not extend it.</li><li><code>cart_id</code> is unique among orders, and the cart is deleted in the order&#39;s transaction.</li><li>Positive balances limit whole units across the cart: dishes before modifiers, dearer lines first.</li><li>Limited discount uses are counted in 100 random shares (ORD-103), by triggers.</li></ul><h2 id="consequences" tabindex="-1">Consequences <a class="header-anchor" href="#consequences" aria-label="Permalink to &quot;Consequences&quot;">​</a></h2><ul><li>A stop-list committed after the order&#39;s transaction began does not stop the order.</li></ul><h2 id="rejected-options" tabindex="-1">Rejected options <a class="header-anchor" href="#rejected-options" aria-label="Permalink to &quot;Rejected options&quot;">​</a></h2><ul><li>Rows per line: they need a cart lock anyway.</li><li>A discount counter in one row: concurrent transactions fail. Counting all uses: 26 ms, or 200 ms at 50,000 uses.</li></ul></div>`,
  );
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add(
    'docs/decisions/0048-carts-and-checkout.md',
  );
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0048CartsAndCheckout = /* @__PURE__ */ _export_sfc(_sfc_main, [['ssrRender', _sfc_ssrRender]]);
export { __pageData, _0048CartsAndCheckout as default };
