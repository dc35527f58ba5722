import { ssrRenderAttrs } from 'vue/server-renderer';
import { useSSRContext } from 'vue';
import { _ as _export_sfc } from './plugin-vue_export-helper.1tPrXgE0.js';
const __pageData = JSON.parse(
  '{"title":"77. Orders made at the ERP redeem rights, and each day is reconciled from a new reading","description":"","frontmatter":{},"headers":[],"relativePath":"decisions/0077-gifts-in-erp-orders.md","filePath":"docs/decisions/0077-gifts-in-erp-orders.md"}',
);
const _sfc_main = { name: 'decisions/0077-gifts-in-erp-orders.md' };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(
    `<div${ssrRenderAttrs(_attrs)}><h1 id="77-orders-made-at-the-erp-redeem-rights-and-each-day-is-reconciled-from-a-new-reading" tabindex="-1">77. Orders made at the ERP redeem rights, and each day is reconciled from a new reading <a class="header-anchor" href="#77-orders-made-at-the-erp-redeem-rights-and-each-day-is-reconciled-from-a-new-reading" aria-label="Permalink to &quot;77. Orders made at the ERP redeem rights, and each day is reconciled from a new reading&quot;">​</a></h1><h2 id="status" tabindex="-1">Status <a class="header-anchor" href="#status" aria-label="Permalink to &quot;Status&quot;">​</a></h2><p>Accepted.</p><h2 id="context" tabindex="-1">Context <a class="header-anchor" href="#context" aria-label="Permalink to &quot;Context&quot;">​</a></h2><p>Operators give promised gifts in phone orders that Carte learns about only from the ERP. Webhooks and polls can miss orders, orders change, phones change owners, and rewards change dishes. Finance needs every gift accounted for.</p><h2 id="decision" tabindex="-1">Decision <a class="header-anchor" href="#decision" aria-label="Permalink to &quot;Decision&quot;">​</a></h2><ul><li>The watch of a connection reads all orders by revision if it accepts orders or has an active reward.</li><li>Units are matched, not lines: units in the order minus redeemed rights and recorded unauthorized units. The <code>erp_gift_order</code> row is the lock.</li><li>The first writer of an order resets the revision to its value before the request, in the same transaction; a slow reader otherwise restored a removed gift.</li><li>Before an unauthorized gift is reported, the client&#39;s card is read and its promises are granted.</li><li>The ERP&#39;s card determines the owner of a phone. The former owner loses the phone and keeps the rights. One transaction per connection changes owners (<code>advisory.clientPhones</code>).</li><li><code>giftReconciliation</code> reads the last days from the ERP and compares order by order: gifts minus redeemed minus unauthorized units.</li><li>Staff accept a difference with its fingerprint. Another unit or order reopens the day.</li></ul><h2 id="consequences" tabindex="-1">Consequences <a class="header-anchor" href="#consequences" aria-label="Permalink to &quot;Consequences&quot;">​</a></h2><ul><li>An order canceled before Carte read it redeems nothing; a later cancellation does not return the right.</li><li>Gift orders and compared days are kept permanently. They contain no names.</li></ul><h2 id="rejected-options" tabindex="-1">Rejected options <a class="header-anchor" href="#rejected-options" aria-label="Permalink to &quot;Rejected options&quot;">​</a></h2><ul><li>Comparing our tables only: they share what both missed. Sums per day: they can be even while two orders differ.</li><li>A lock across readers: as long as the ERP&#39;s answer.</li><li>A workflow per foreign order: thousands a day for one gift.</li></ul></div>`,
  );
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add(
    'docs/decisions/0077-gifts-in-erp-orders.md',
  );
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0077GiftsInErpOrders = /* @__PURE__ */ _export_sfc(_sfc_main, [['ssrRender', _sfc_ssrRender]]);
export { __pageData, _0077GiftsInErpOrders as default };
