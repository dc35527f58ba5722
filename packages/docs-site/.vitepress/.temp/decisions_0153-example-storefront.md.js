import { ssrRenderAttrs } from 'vue/server-renderer';
import { useSSRContext } from 'vue';
import { _ as _export_sfc } from './plugin-vue_export-helper.1tPrXgE0.js';
const __pageData = JSON.parse(
  '{"title":"153. The demo is an example storefront in React","description":"","frontmatter":{},"headers":[],"relativePath":"decisions/0153-example-storefront.md","filePath":"docs/decisions/0153-example-storefront.md"}',
);
const _sfc_main = { name: 'decisions/0153-example-storefront.md' };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(
    `<div${ssrRenderAttrs(_attrs)}><h1 id="153-the-demo-is-an-example-storefront-in-react" tabindex="-1">153. The demo is an example storefront in React <a class="header-anchor" href="#153-the-demo-is-an-example-storefront-in-react" aria-label="Permalink to &quot;153. The demo is an example storefront in React&quot;">​</a></h1><h2 id="status" tabindex="-1">Status <a class="header-anchor" href="#status" aria-label="Permalink to &quot;Status&quot;">​</a></h2><p>Accepted. Replaces the shop of decision 36.</p><h2 id="context" tabindex="-1">Context <a class="header-anchor" href="#context" aria-label="Permalink to &quot;Context&quot;">​</a></h2><p>Integrators use frameworks and could not copy the framework-free shop. On phones the cart was hidden, and dishes had no URLs.</p><h2 id="decision" tabindex="-1">Decision <a class="header-anchor" href="#decision" aria-label="Permalink to &quot;Decision&quot;">​</a></h2><ul><li><code>examples/storefront</code> (Vite, React, TypeScript, <code>@carte/client</code>) is served at <code>/</code> if <code>DEMO_SHOP</code> is on.</li><li>Five views need a table of paths and <code>useSyncExternalStore</code>, 110 lines, so there is no router or state library.</li><li><code>npm start</code> builds it in less than a second. A digest in <code>dist/</code> prevents a build without a change. Without output, the API fails at its start with an instruction.</li><li>A dish is a page with a URL and a title.</li></ul><h2 id="consequences" tabindex="-1">Consequences <a class="header-anchor" href="#consequences" aria-label="Permalink to &quot;Consequences&quot;">​</a></h2><ul><li>The JavaScript has 83 KB with gzip.</li><li>The page shows nothing without JavaScript; the guide recommends server rendering for search engines.</li></ul><h2 id="rejected-options" tabindex="-1">Rejected options <a class="header-anchor" href="#rejected-options" aria-label="Permalink to &quot;Rejected options&quot;">​</a></h2><ul><li><code>@vitejs/plugin-react</code>: Vite compiles JSX itself.</li><li>A named policy of trusted types: it would weaken <code>trusted-types &#39;none&#39;</code>.</li></ul></div>`,
  );
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add(
    'docs/decisions/0153-example-storefront.md',
  );
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0153ExampleStorefront = /* @__PURE__ */ _export_sfc(_sfc_main, [['ssrRender', _sfc_ssrRender]]);
export { __pageData, _0153ExampleStorefront as default };
