import { ssrRenderAttrs } from 'vue/server-renderer';
import { useSSRContext } from 'vue';
import { _ as _export_sfc } from './plugin-vue_export-helper.1tPrXgE0.js';
const __pageData = JSON.parse(
  '{"title":"61. Only what the ERP can represent is offered","description":"","frontmatter":{},"headers":[],"relativePath":"decisions/0061-options-of-the-erp.md","filePath":"docs/decisions/0061-options-of-the-erp.md"}',
);
const _sfc_main = { name: 'decisions/0061-options-of-the-erp.md' };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(
    `<div${ssrRenderAttrs(_attrs)}><h1 id="61-only-what-the-erp-can-represent-is-offered" tabindex="-1">61. Only what the ERP can represent is offered <a class="header-anchor" href="#61-only-what-the-erp-can-represent-is-offered" aria-label="Permalink to &quot;61. Only what the ERP can represent is offered&quot;">​</a></h1><h2 id="status" tabindex="-1">Status <a class="header-anchor" href="#status" aria-label="Permalink to &quot;Status&quot;">​</a></h2><p>Accepted.</p><h2 id="context" tabindex="-1">Context <a class="header-anchor" href="#context" aria-label="Permalink to &quot;Context&quot;">​</a></h2><p>An order names a payment type, discount, street and fee at the ERP. Orders with an option unknown there waited until staff noticed, and sums differed.</p><h2 id="decision" tabindex="-1">Decision <a class="header-anchor" href="#decision" aria-label="Permalink to &quot;Decision&quot;">​</a></h2><ul><li><code>erpNamesOf</code> determines what orders of an organization can name. Context, gate, setup checklist and sender share it.</li><li>ERP dictionaries are stored per connection (<code>erp_choices</code>), refreshed hourly and before the first order. Staff choose; otherwise the only entry of the right kind applies. An unread dictionary blocks nothing.</li><li>A discount without an ERP counterpart is not granted (ORGANIZATION). All discounts are sent as one sum.</li><li>A delivery fee is an item if one has the role DELIVERY_FEE at exactly that price; otherwise it goes into the comment.</li><li>A modifier has one price for all units, the average of free and paid ones, because the ERP rejects a repeated modifier.</li><li><code>serving_organization</code> = ERP lets the ERP choose among organizations with a zone at the point. After 2 s, our zones decide.</li><li>A disabled connection closes delivery and pickup with DISABLED.</li></ul><h2 id="consequences" tabindex="-1">Consequences <a class="header-anchor" href="#consequences" aria-label="Permalink to &quot;Consequences&quot;">​</a></h2><ul><li>An order that becomes unsendable stays ACCEPTED with NOT_CONFIGURED and is retried every minute.</li></ul><h2 id="rejected-options" tabindex="-1">Rejected options <a class="header-anchor" href="#rejected-options" aria-label="Permalink to &quot;Rejected options&quot;">​</a></h2><ul><li>An import with runs for dictionaries: ten times the code for twenty rows.</li><li>Rejecting orders while the ERP does not name the restaurant: guests would wait for staff.</li><li>Asking the ERP inside the order transaction: it would lock the cart during a call.</li></ul></div>`,
  );
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add(
    'docs/decisions/0061-options-of-the-erp.md',
  );
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0061OptionsOfTheErp = /* @__PURE__ */ _export_sfc(_sfc_main, [['ssrRender', _sfc_ssrRender]]);
export { __pageData, _0061OptionsOfTheErp as default };
