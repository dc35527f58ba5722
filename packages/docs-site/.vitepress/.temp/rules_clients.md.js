import { ssrRenderAttrs } from 'vue/server-renderer';
import { useSSRContext } from 'vue';
import { _ as _export_sfc } from './plugin-vue_export-helper.1tPrXgE0.js';
const __pageData = JSON.parse(
  '{"title":"Clients","description":"","frontmatter":{},"headers":[],"relativePath":"rules/clients.md","filePath":"docs/rules/clients.md"}',
);
const _sfc_main = { name: 'rules/clients.md' };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(
    `<div${ssrRenderAttrs(_attrs)}><h1 id="clients" tabindex="-1">Clients <a class="header-anchor" href="#clients" aria-label="Permalink to &quot;Clients&quot;">​</a></h1><h2 id="customer-tokens" tabindex="-1">Customer tokens <a class="header-anchor" href="#customer-tokens" aria-label="Permalink to &quot;Customer tokens&quot;">​</a></h2><ul><li><strong>CLI-1.</strong> A customer&#39;s token must be unexpired, for our audience, and signed with RS256, ES256 or EdDSA by a published key; other tokens get 401 on all routes.¹</li><li><strong>CLI-2.</strong> A customer&#39;s id is a digest of provider and subject, and a phone counts only while the provider confirms it.¹</li><li><strong>CLI-3.</strong> Changed provider keys are followed, and an unavailable provider causes 503, never a rejection of the customer.¹</li></ul><h2 id="personal-data" tabindex="-1">Personal data <a class="header-anchor" href="#personal-data" aria-label="Permalink to &quot;Personal data&quot;">​</a></h2><ul><li><strong>CLI-4.</strong> Personal data (name, phone, address, comment) is encrypted in one table that others reference by id, so deletion there erases it everywhere.¹</li><li><strong>CLI-5.</strong> The phone of a client without usable rights is erased after <code>order_personal_days</code> of inactivity, while rights and ledger remain.¹</li><li><strong>CLI-6.</strong> Staff erase a client&#39;s phone, digest and comments by phone with an audited reason, unless an order has reserved their gift; rights and ledger remain.¹²</li><li><strong>CLI-7.</strong> If a gift is granted while the phone is being erased, its client keeps it or becomes a new client.¹²</li><li><strong>CLI-8.</strong> <code>POST /clients/export</code> returns all data stored for a phone (gifts, orders, orders made elsewhere, staff notes), decrypted and without digests.¹</li><li><strong>CLI-9.</strong> An export is audited with its reason and record counts, limited to 20 per user and hour, and never cached.¹</li><li><strong>CLI-10.</strong> Erasure and export use one complete list of tables with client data.¹</li></ul></div>`,
  );
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add('docs/rules/clients.md');
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const clients = /* @__PURE__ */ _export_sfc(_sfc_main, [['ssrRender', _sfc_ssrRender]]);
export { __pageData, clients as default };
