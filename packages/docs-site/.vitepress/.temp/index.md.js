import { ssrRenderAttrs } from 'vue/server-renderer';
import { useSSRContext } from 'vue';
import { _ as _export_sfc } from './plugin-vue_export-helper.1tPrXgE0.js';
const __pageData = JSON.parse(
  '{"title":"Documentation","description":"","frontmatter":{},"headers":[],"relativePath":"index.md","filePath":"docs/README.md"}',
);
const _sfc_main = { name: 'index.md' };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(
    `<div${ssrRenderAttrs(_attrs)}><h1 id="documentation" tabindex="-1">Documentation <a class="header-anchor" href="#documentation" aria-label="Permalink to &quot;Documentation&quot;">​</a></h1><p>Choose the guide for your work. Each guide has sections by task, with commands that you can copy.</p><table tabindex="0"><thead><tr><th>You…</th><th>Guide</th><th>For example</th></tr></thead><tbody><tr><td>build a website or an app</td><td><a href="/docs/guides/storefront">Build a storefront</a></td><td><a href="/docs/guides/storefront#show-gifts-in-your-shop">show gifts in your shop</a>, <a href="/docs/guides/storefront#rate-limits-behind-server-side-rendering">rate limits behind server-side rendering</a></td></tr><tr><td>build tools for staff</td><td><a href="/docs/guides/admin">Build a tool for staff</a></td><td><a href="/docs/guides/admin#find-out-why-a-dish-is-missing">find out why a dish is missing</a></td></tr><tr><td>answer guests in the call center</td><td><a href="/docs/guides/call-center">Work in the call center</a></td><td><a href="/docs/guides/call-center#find-an-order">find an order</a>, <a href="/docs/guides/call-center#grant-a-gift">grant a gift</a></td></tr><tr><td>connect restaurants</td><td><a href="/docs/guides/erp-account">Connect an ERP account</a></td><td><a href="/docs/guides/erp-account#open-a-new-restaurant">open a new restaurant</a>, <a href="/docs/guides/erp-account#check-delivery-zones">check delivery zones</a></td></tr><tr><td>run the service</td><td><a href="/docs/guides/operations">Operate Carte</a></td><td><a href="/docs/guides/operations#install">install</a>, <a href="/docs/guides/operations#upgrade">upgrade</a>, <a href="/docs/guides/operations#restore-a-backup">restore a backup</a>, <a href="/docs/guides/operations#troubleshoot">troubleshoot</a></td></tr><tr><td>send events to another system</td><td><a href="/docs/guides/events-and-webhooks">Events and webhooks</a></td><td><a href="/docs/guides/events-and-webhooks#read-the-list">read the list</a>, <a href="/docs/guides/events-and-webhooks#receive-webhooks">receive webhooks</a></td></tr><tr><td>give a program access</td><td><a href="/docs/guides/keys">API keys</a></td><td><a href="/docs/guides/keys#a-machine-account">a machine account</a></td></tr><tr><td>change Carte itself</td><td><a href="/docs/contributing">Contributing</a></td><td><a href="/docs/architecture">architecture</a>, <a href="/docs/rules/">rules</a>, <a href="/docs/glossary">glossary</a></td></tr></tbody></table><p>Reference: <a href="/docs/codes">codes</a>, <a href="/docs/problems">problems</a>, <a href="/docs/access">permissions</a>, <a href="/docs/configuration">configuration</a>, <a href="/docs/metrics">metrics</a>, <a href="/docs/emulator">ERP emulator</a>. A running instance serves the API reference at <code>/docs/public</code> and <code>/docs/admin</code>, and these pages at <code>/docs</code>.</p></div>`,
  );
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add('docs/README.md');
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const README = /* @__PURE__ */ _export_sfc(_sfc_main, [['ssrRender', _sfc_ssrRender]]);
export { __pageData, README as default };
