import { ssrRenderAttrs } from 'vue/server-renderer';
import { useSSRContext } from 'vue';
import { _ as _export_sfc } from './plugin-vue_export-helper.1tPrXgE0.js';
const __pageData = JSON.parse(
  '{"title":"17. Reference models, chaos runs and removed locks test what example tests miss","description":"","frontmatter":{},"headers":[],"relativePath":"decisions/0017-models-and-chaos.md","filePath":"docs/decisions/0017-models-and-chaos.md"}',
);
const _sfc_main = { name: 'decisions/0017-models-and-chaos.md' };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(
    `<div${ssrRenderAttrs(_attrs)}><h1 id="17-reference-models-chaos-runs-and-removed-locks-test-what-example-tests-miss" tabindex="-1">17. Reference models, chaos runs and removed locks test what example tests miss <a class="header-anchor" href="#17-reference-models-chaos-runs-and-removed-locks-test-what-example-tests-miss" aria-label="Permalink to &quot;17. Reference models, chaos runs and removed locks test what example tests miss&quot;">​</a></h1><h2 id="status" tabindex="-1">Status <a class="header-anchor" href="#status" aria-label="Permalink to &quot;Status&quot;">​</a></h2><p>Accepted.</p><h2 id="context" tabindex="-1">Context <a class="header-anchor" href="#context" aria-label="Permalink to &quot;Context&quot;">​</a></h2><p>Tests written with the code share its assumptions. Crashes, lost packets and races combine in ways no example lists, and an untested lock can be removed unnoticed.</p><h2 id="decision" tabindex="-1">Decision <a class="header-anchor" href="#decision" aria-label="Permalink to &quot;Decision&quot;">​</a></h2><ul><li>Reference models (<code>test/support/model/reference-mirror.ts</code>, <code>test/support/gifts/rights-model.ts</code>) restate the rules without product code. After every step of a random sequence, the tables must equal the model.</li><li>The chaos run kills worker, API, PostgreSQL and Temporal with SIGKILL, silences connections and shifts clocks. Afterwards menus must equal the ERP, confirmed changes must exist, and nothing may be open. Progress must resume within 60 s.</li><li>In its second act guests order, with gifts, while operators change cards and orders.</li><li><code>npm run carte -- check:locks</code> removes each lock, claim or condition listed in <code>packages/dev/locks/places.ts</code>; one listed test must fail. <code>npm test</code> checks that the list is complete.</li></ul><h2 id="consequences" tabindex="-1">Consequences <a class="header-anchor" href="#consequences" aria-label="Permalink to &quot;Consequences&quot;">​</a></h2><ul><li><code>npm test</code> runs small counts, <code>npm run soak</code> large ones.</li><li>Without Temporal&#39;s server or Go, the run is skipped; with <code>CI=true</code> it fails.</li></ul><h2 id="rejected-options" tabindex="-1">Rejected options <a class="header-anchor" href="#rejected-options" aria-label="Permalink to &quot;Rejected options&quot;">​</a></h2><ul><li>Source quotations in the list of locks: every edit of a line would change the list.</li></ul></div>`,
  );
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add(
    'docs/decisions/0017-models-and-chaos.md',
  );
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0017ModelsAndChaos = /* @__PURE__ */ _export_sfc(_sfc_main, [['ssrRender', _sfc_ssrRender]]);
export { __pageData, _0017ModelsAndChaos as default };
