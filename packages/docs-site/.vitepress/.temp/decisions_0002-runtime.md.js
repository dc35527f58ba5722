import { ssrRenderAttrs } from 'vue/server-renderer';
import { useSSRContext } from 'vue';
import { _ as _export_sfc } from './plugin-vue_export-helper.1tPrXgE0.js';
const __pageData = JSON.parse(
  '{"title":"2. TypeScript runs without a build, with few packages, and modules load on first use","description":"","frontmatter":{},"headers":[],"relativePath":"decisions/0002-runtime.md","filePath":"docs/decisions/0002-runtime.md"}',
);
const _sfc_main = { name: 'decisions/0002-runtime.md' };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(
    `<div${ssrRenderAttrs(_attrs)}><h1 id="2-typescript-runs-without-a-build-with-few-packages-and-modules-load-on-first-use" tabindex="-1">2. TypeScript runs without a build, with few packages, and modules load on first use <a class="header-anchor" href="#2-typescript-runs-without-a-build-with-few-packages-and-modules-load-on-first-use" aria-label="Permalink to &quot;2. TypeScript runs without a build, with few packages, and modules load on first use&quot;">​</a></h1><h2 id="status" tabindex="-1">Status <a class="header-anchor" href="#status" aria-label="Permalink to &quot;Status&quot;">​</a></h2><p>Accepted.</p><h2 id="context" tabindex="-1">Context <a class="header-anchor" href="#context" aria-label="Permalink to &quot;Context&quot;">​</a></h2><p>A new machine has an arbitrary Node version, and MikroORM 7 needs 22.17. The first start installed 1,118 packages, and an API process used 1.23 s of CPU before its first answer.</p><h2 id="decision" tabindex="-1">Decision <a class="header-anchor" href="#decision" aria-label="Permalink to &quot;Decision&quot;">​</a></h2><ul><li>The package <code>node</code> installs Node 26. Entry scripts are plain <code>.mjs</code> for Node 20; they install packages and start Node 26, which runs <code>.ts</code> files by type stripping (<code>erasableSyntaxOnly</code>). TypeScript 7 only checks types.</li><li><code>npm start</code> installs about 700 packages. Rarely used tools have a manifest in <code>packages/dev/programs/npm</code> and are installed once per machine.</li><li>Schemas and OpenAPI documents compile on first use. <code>NODE_COMPILE_CACHE</code> halves a process start.</li><li><code>protobufjs</code> 8 is a direct dependency: with version 7 on top, replay fails with <code>type must be a Type</code>. <code>overrides</code> replaces <code>@scarf/scarf</code>, which reports installations.</li><li>Four npm workspaces (<code>client</code>, <code>erp-emulator</code>, <code>demo</code>, <code>dev</code>) share no code with the product. Files import each other by path. Images install with <code>--workspaces=false</code>.</li><li><code>npm run carte -- &lt;subcommand&gt;</code> is the one developer command.</li></ul><h2 id="consequences" tabindex="-1">Consequences <a class="header-anchor" href="#consequences" aria-label="Permalink to &quot;Consequences&quot;">​</a></h2><ul><li>An API is ready after 0.75 s instead of 1.07 s. Tests, not the start, find schemas that do not compile.</li></ul><h2 id="rejected-options" tabindex="-1">Rejected options <a class="header-anchor" href="#rejected-options" aria-label="Permalink to &quot;Rejected options&quot;">​</a></h2><ul><li><code>@scalar/api-reference</code>, <code>redoc</code>, <code>rapidoc</code>, <code>@stoplight/elements</code>: 115 to 463 packages, some with telemetry or install scripts.</li><li><code>npx carte</code>: outside the repository it downloads an unrelated package.</li></ul></div>`,
  );
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add('docs/decisions/0002-runtime.md');
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0002Runtime = /* @__PURE__ */ _export_sfc(_sfc_main, [['ssrRender', _sfc_ssrRender]]);
export { __pageData, _0002Runtime as default };
