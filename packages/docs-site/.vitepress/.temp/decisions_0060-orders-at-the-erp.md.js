import { ssrRenderAttrs } from 'vue/server-renderer';
import { useSSRContext } from 'vue';
import { _ as _export_sfc } from './plugin-vue_export-helper.1tPrXgE0.js';
const __pageData = JSON.parse(
  '{"title":"60. One workflow per order follows its row, and unknown outcomes are never guessed","description":"","frontmatter":{},"headers":[],"relativePath":"decisions/0060-orders-at-the-erp.md","filePath":"docs/decisions/0060-orders-at-the-erp.md"}',
);
const _sfc_main = { name: 'decisions/0060-orders-at-the-erp.md' };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(
    `<div${ssrRenderAttrs(_attrs)}><h1 id="60-one-workflow-per-order-follows-its-row-and-unknown-outcomes-are-never-guessed" tabindex="-1">60. One workflow per order follows its row, and unknown outcomes are never guessed <a class="header-anchor" href="#60-one-workflow-per-order-follows-its-row-and-unknown-outcomes-are-never-guessed" aria-label="Permalink to &quot;60. One workflow per order follows its row, and unknown outcomes are never guessed&quot;">​</a></h1><h2 id="status" tabindex="-1">Status <a class="header-anchor" href="#status" aria-label="Permalink to &quot;Status&quot;">​</a></h2><p>Accepted.</p><h2 id="context" tabindex="-1">Context <a class="header-anchor" href="#context" aria-label="Permalink to &quot;Context&quot;">​</a></h2><p>Creating an order at the ERP is the one call whose repetition costs money. Answers and webhooks get lost, repeat and arrive in any order, and some restaurants never close orders.</p><h2 id="decision" tabindex="-1">Decision <a class="header-anchor" href="#decision" aria-label="Permalink to &quot;Decision&quot;">​</a></h2><ul><li><code>createDelivery</code> returns TAKEN, DUPLICATE, REFUSED, NOT_SENT or UNKNOWN. NOT_SENT and REFUSED need proof: no connection, no token, open circuit, 401/403/429, or a status of 400 and more with the ERP&#39;s correlation id. UNKNOWN is resolved by sending the same id again and reading it.</li><li>The workflow <code>order/{order}</code> sends, watches and follows. State is in <code>customer_order</code> and <code>order_move</code>; signals only trigger an earlier look.</li><li><code>unanswered_since</code> is set before each call and cleared when the outcome is known. While null, the order can be withdrawn. While set, it fails only after every look over two minutes missed it.</li><li>Statuses come from webhooks, from <code>orderWatch</code> every 30 s, and from a look every ten minutes. Each is sufficient alone. A webhook only triggers a read.</li><li>The higher ERP timestamp wins. CLOSED, CANCELLED and FAILED are final.</li><li><code>order_watch_days</code> (3) after its time, an open order ends as CLOSED, or FAILED if no restaurant accepted it, with NEVER_ENDED.</li><li>If another order redeems a gift first, the order is sent without it and shows <code>leftOut</code>. After a call without an answer, the body is repeated unchanged.</li></ul><h2 id="consequences" tabindex="-1">Consequences <a class="header-anchor" href="#consequences" aria-label="Permalink to &quot;Consequences&quot;">​</a></h2><ul><li>The ERP has no cancellation call: later only the restaurant can cancel.</li><li>After a gap, all open orders are read by id before the new revision is saved.</li></ul><h2 id="rejected-options" tabindex="-1">Rejected options <a class="header-anchor" href="#rejected-options" aria-label="Permalink to &quot;Rejected options&quot;">​</a></h2><ul><li>Leaving orders open: 144 calls a day each.</li><li>Canceling an order that lost its gift: its dishes are paid for.</li></ul></div>`,
  );
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add(
    'docs/decisions/0060-orders-at-the-erp.md',
  );
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0060OrdersAtTheErp = /* @__PURE__ */ _export_sfc(_sfc_main, [['ssrRender', _sfc_ssrRender]]);
export { __pageData, _0060OrdersAtTheErp as default };
