import { ssrRenderAttrs } from 'vue/server-renderer';
import { useSSRContext } from 'vue';
import { _ as _export_sfc } from './plugin-vue_export-helper.1tPrXgE0.js';
const __pageData = JSON.parse(
  '{"title":"Connect an ERP account","description":"","frontmatter":{},"headers":[],"relativePath":"guides/erp-account.md","filePath":"docs/guides/erp-account.md"}',
);
const _sfc_main = { name: 'guides/erp-account.md' };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(
    `<div${ssrRenderAttrs(_attrs)}><h1 id="connect-an-erp-account" tabindex="-1">Connect an ERP account <a class="header-anchor" href="#connect-an-erp-account" aria-label="Permalink to &quot;Connect an ERP account&quot;">​</a></h1><p>This guide connects an account of iiko or Syrve and opens its restaurants for orders. To try it without an ERP, run <code>npm start</code>: it connects an <a href="/docs/emulator">emulator</a>.</p><h2 id="connect-the-account" tabindex="-1">Connect the account <a class="header-anchor" href="#connect-the-account" aria-label="Permalink to &quot;Connect the account&quot;">​</a></h2><p><a href="/docs/guides/from-an-empty-host#4-connect-the-erp">From an empty host</a> creates a franchisee, a legal entity and a connection. The first imports start by themselves.</p><h2 id="open-a-new-restaurant" tabindex="-1">Open a new restaurant <a class="header-anchor" href="#open-a-new-restaurant" aria-label="Permalink to &quot;Open a new restaurant&quot;">​</a></h2><p>A restaurant takes orders if it is switched on, has opening hours and has a payment method that its ERP accepts. See <a href="/docs/guides/admin#open-a-restaurant-for-orders">Open a restaurant for orders</a>.</p><h2 id="check-delivery-zones" tabindex="-1">Check delivery zones <a class="header-anchor" href="#check-delivery-zones" aria-label="Permalink to &quot;Check delivery zones&quot;">​</a></h2><p><code>GET /delivery-zones</code> lists the zones of the ERP. <code>POST /delivery/explain</code> returns which zone was chosen for an address, and why.</p></div>`,
  );
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add('docs/guides/erp-account.md');
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const erpAccount = /* @__PURE__ */ _export_sfc(_sfc_main, [['ssrRender', _sfc_ssrRender]]);
export { __pageData, erpAccount as default };
