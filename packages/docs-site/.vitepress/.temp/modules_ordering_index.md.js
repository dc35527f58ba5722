import { ssrRenderAttrs } from 'vue/server-renderer';
import { useSSRContext } from 'vue';
import { _ as _export_sfc } from './plugin-vue_export-helper.1tPrXgE0.js';
const __pageData = JSON.parse(
  '{"title":"ordering","description":"","frontmatter":{},"headers":[],"relativePath":"modules/ordering/index.md","filePath":"modules/ordering/README.md"}',
);
const _sfc_main = { name: 'modules/ordering/index.md' };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(
    `<div${ssrRenderAttrs(_attrs)}><h1 id="ordering" tabindex="-1">ordering <a class="header-anchor" href="#ordering" aria-label="Permalink to &quot;ordering&quot;">​</a></h1><p>Carts, checkout, orders and their way through the ERP: following orders by polls (<code>polling/</code>), and recovering them after a restored backup (<code>restore/</code>).</p><ul><li>Tables: <code>cart</code>, <code>composition_rule</code>, <code>customer_order</code>, <code>discount</code>, <code>discount_count</code>, <code>discount_use</code>, <code>erp_order</code>, <code>gift_reconciliation</code>, <code>order_claim</code>, <code>order_decision</code>, <code>order_line</code>, <code>order_move</code>, <code>order_poll</code>, <code>order_quote</code>, <code>order_revision</code>, <code>promocode</code>, <code>refused_order_revision</code>, <code>restoration</code>, <code>restored_order</code>, <code>service_role</code>, <code>service_role_list</code>, <code>terminal_alive</code></li><li>Emits: <code>OrderAccepted</code></li><li>Handles: <code>ErpOrderChanged</code>, <code>OrderAccepted</code></li><li>Rules: <a href="/docs/rules/ordering">docs/rules/ordering.md</a></li><li>Start with <code>place-order.ts</code> and <code>evaluate-checkout.ts</code>, <code>rules/gate.ts</code> for blockers, <code>rules/order-states.ts</code> and <code>move-order.ts</code> for states, <code>send-order.ts</code> and <code>polling/poll-orders.ts</code> for the ERP.</li></ul></div>`,
  );
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add('modules/ordering/README.md');
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const README = /* @__PURE__ */ _export_sfc(_sfc_main, [['ssrRender', _sfc_ssrRender]]);
export { __pageData, README as default };
