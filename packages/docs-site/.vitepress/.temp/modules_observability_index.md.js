import { ssrRenderAttrs } from 'vue/server-renderer';
import { useSSRContext } from 'vue';
import { _ as _export_sfc } from './plugin-vue_export-helper.1tPrXgE0.js';
const __pageData = JSON.parse(
  '{"title":"observability","description":"","frontmatter":{},"headers":[],"relativePath":"modules/observability/index.md","filePath":"modules/observability/README.md"}',
);
const _sfc_main = { name: 'modules/observability/index.md' };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(
    `<div${ssrRenderAttrs(_attrs)}><h1 id="observability" tabindex="-1">observability <a class="header-anchor" href="#observability" aria-label="Permalink to &quot;observability&quot;">​</a></h1><p>Reads the rows behind metrics, <code>/sync/status</code> and readiness. Writes nothing.</p><ul><li>Tables: none</li><li>Emits: none</li><li>Handles: none</li><li>Rules: <a href="/docs/rules/operation">docs/rules/operation.md</a></li><li>Start with <code>read-state.ts</code>.</li></ul></div>`,
  );
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add('modules/observability/README.md');
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const README = /* @__PURE__ */ _export_sfc(_sfc_main, [['ssrRender', _sfc_ssrRender]]);
export { __pageData, README as default };
