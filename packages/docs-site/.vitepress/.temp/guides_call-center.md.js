import { ssrRenderAttrs } from 'vue/server-renderer';
import { useSSRContext } from 'vue';
import { _ as _export_sfc } from './plugin-vue_export-helper.1tPrXgE0.js';
const __pageData = JSON.parse(
  '{"title":"Work in the call center","description":"","frontmatter":{},"headers":[],"relativePath":"guides/call-center.md","filePath":"docs/guides/call-center.md"}',
);
const _sfc_main = { name: 'guides/call-center.md' };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(
    `<div${ssrRenderAttrs(_attrs)}><h1 id="work-in-the-call-center" tabindex="-1">Work in the call center <a class="header-anchor" href="#work-in-the-call-center" aria-label="Permalink to &quot;Work in the call center&quot;">​</a></h1><p>Call-center operators find orders, see their state and grant gifts. The default role for them is <code>GUEST_SERVICE</code>; see <a href="/docs/access">permissions</a>.</p><h2 id="find-an-order" tabindex="-1">Find an order <a class="header-anchor" href="#find-an-order" aria-label="Permalink to &quot;Find an order&quot;">​</a></h2><p><code>GET /orders?q=</code> searches by number, id, and, with the permission <code>orders.manage</code>, by phone.</p><h2 id="grant-a-gift" tabindex="-1">Grant a gift <a class="header-anchor" href="#grant-a-gift" aria-label="Permalink to &quot;Grant a gift&quot;">​</a></h2><p><code>POST /compensations</code> grants a gift to a guest, named by phone or client id.</p></div>`,
  );
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add('docs/guides/call-center.md');
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const callCenter = /* @__PURE__ */ _export_sfc(_sfc_main, [['ssrRender', _sfc_ssrRender]]);
export { __pageData, callCenter as default };
