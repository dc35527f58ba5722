import { ssrRenderAttrs } from 'vue/server-renderer';
import { useSSRContext } from 'vue';
import { _ as _export_sfc } from './plugin-vue_export-helper.1tPrXgE0.js';
const __pageData = JSON.parse(
  '{"title":"155. A busy mode is a row with an end, added to the largest expectation","description":"","frontmatter":{},"headers":[],"relativePath":"decisions/0155-busy-mode.md","filePath":"docs/decisions/0155-busy-mode.md"}',
);
const _sfc_main = { name: 'decisions/0155-busy-mode.md' };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(
    `<div${ssrRenderAttrs(_attrs)}><h1 id="155-a-busy-mode-is-a-row-with-an-end-added-to-the-largest-expectation" tabindex="-1">155. A busy mode is a row with an end, added to the largest expectation <a class="header-anchor" href="#155-a-busy-mode-is-a-row-with-an-end-added-to-the-largest-expectation" aria-label="Permalink to &quot;155. A busy mode is a row with an end, added to the largest expectation&quot;">​</a></h1><h2 id="status" tabindex="-1">Status <a class="header-anchor" href="#status" aria-label="Permalink to &quot;Status&quot;">​</a></h2><p>Accepted.</p><h2 id="context" tabindex="-1">Context <a class="header-anchor" href="#context" aria-label="Permalink to &quot;Context&quot;">​</a></h2><p>Staff announced a busy kitchen with a rule of expectation per organization and deleted it later. A rule of 20 minutes beside a permanent one of 30 changed nothing, because the largest counts.</p><h2 id="decision" tabindex="-1">Decision <a class="header-anchor" href="#decision" aria-label="Permalink to &quot;Decision&quot;">​</a></h2><ul><li><code>busy_mode</code> has at most one row per organization: minutes and an end. It joins the expectations, so estimates, slots, preflight and orders follow.</li><li>The minutes are added to the largest expectation.</li><li>Readers compare the end with the current time, so a late workflow never prolongs it.</li><li>One workflow, <code>busyMode</code>, waits for the next end of all organizations. The reconciler deletes due rows without Temporal.</li></ul><h2 id="consequences" tabindex="-1">Consequences <a class="header-anchor" href="#consequences" aria-label="Permalink to &quot;Consequences&quot;">​</a></h2><ul><li>If the workflow is lost, only the audit entry is late.</li></ul><h2 id="rejected-options" tabindex="-1">Rejected options <a class="header-anchor" href="#rejected-options" aria-label="Permalink to &quot;Rejected options&quot;">​</a></h2><ul><li>A self-deleting rule of expectation: it would mix permanent and temporary settings.</li><li>One workflow per organization: one request would start a thousand executions.</li></ul></div>`,
  );
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add('docs/decisions/0155-busy-mode.md');
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0155BusyMode = /* @__PURE__ */ _export_sfc(_sfc_main, [['ssrRender', _sfc_ssrRender]]);
export { __pageData, _0155BusyMode as default };
