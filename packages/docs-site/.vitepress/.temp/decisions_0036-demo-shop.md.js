import { ssrRenderAttrs } from 'vue/server-renderer';
import { useSSRContext } from 'vue';
import { _ as _export_sfc } from './plugin-vue_export-helper.1tPrXgE0.js';
const __pageData = JSON.parse(
  '{"title":"36. The demo uses only the public API and a certified sign-in provider","description":"","frontmatter":{},"headers":[],"relativePath":"decisions/0036-demo-shop.md","filePath":"docs/decisions/0036-demo-shop.md"}',
);
const _sfc_main = { name: 'decisions/0036-demo-shop.md' };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(
    `<div${ssrRenderAttrs(_attrs)}><h1 id="36-the-demo-uses-only-the-public-api-and-a-certified-sign-in-provider" tabindex="-1">36. The demo uses only the public API and a certified sign-in provider <a class="header-anchor" href="#36-the-demo-uses-only-the-public-api-and-a-certified-sign-in-provider" aria-label="Permalink to &quot;36. The demo uses only the public API and a certified sign-in provider&quot;">​</a></h1><h2 id="status" tabindex="-1">Status <a class="header-anchor" href="#status" aria-label="Permalink to &quot;Status&quot;">​</a></h2><p>Accepted. Decision 153 replaced the shop itself.</p><h2 id="context" tabindex="-1">Context <a class="header-anchor" href="#context" aria-label="Permalink to &quot;Context&quot;">​</a></h2><p><code>npm start</code> should show within a minute what the API does. Sign-in must follow the same path as in production.</p><h2 id="decision" tabindex="-1">Decision <a class="header-anchor" href="#decision" aria-label="Permalink to &quot;Decision&quot;">​</a></h2><ul><li>The shop is served at <code>/</code> if <code>DEMO_SHOP</code> is on; production refuses it.</li><li>The page imports only <code>packages/client</code>. Anything else it needs is a gap of the API.</li><li>Its policy allows no inline scripts and requires trusted types without a policy.</li><li>Customers sign in with the code flow and PKCE at <code>oidc-provider</code>, a certified implementation. The API checks tokens as in production (CLI-1).</li><li>The provider accepts any phone. It listens on loopback only and does not start in production or with <code>ERP_URL</code> or <code>CUSTOMER_ISSUER</code>.</li></ul><h2 id="consequences" tabindex="-1">Consequences <a class="header-anchor" href="#consequences" aria-label="Permalink to &quot;Consequences&quot;">​</a></h2><ul><li>The provider creates a new key at every start; the API follows (CLI-3).</li></ul><h2 id="rejected-options" tabindex="-1">Rejected options <a class="header-anchor" href="#rejected-options" aria-label="Permalink to &quot;Rejected options&quot;">​</a></h2><ul><li>Playwright: 14 MB for a dozen commands.</li></ul></div>`,
  );
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add('docs/decisions/0036-demo-shop.md');
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0036DemoShop = /* @__PURE__ */ _export_sfc(_sfc_main, [['ssrRender', _sfc_ssrRender]]);
export { __pageData, _0036DemoShop as default };
