import { ssrRenderAttrs } from 'vue/server-renderer';
import { useSSRContext } from 'vue';
import { _ as _export_sfc } from './plugin-vue_export-helper.1tPrXgE0.js';
const __pageData = JSON.parse(
  '{"title":"connections","description":"","frontmatter":{},"headers":[],"relativePath":"modules/connections/index.md","filePath":"modules/connections/README.md"}',
);
const _sfc_main = { name: 'modules/connections/index.md' };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(
    `<div${ssrRenderAttrs(_attrs)}><h1 id="connections" tabindex="-1">connections <a class="header-anchor" href="#connections" aria-label="Permalink to &quot;connections&quot;">​</a></h1><p>Accounts of the ERP with their credentials, circuits and limits, and the franchisees and legal entities that own them (<code>franchise/</code>).</p><ul><li>Tables: <code>connection</code>, <code>erp_circuit</code>, <code>erp_hold</code>, <code>erp_rate_limit</code>, <code>erp_refusal</code>, <code>erp_token</code>, <code>franchisee</code>, <code>legal_entity</code>, <code>webhook_secret</code></li><li>Emits: <code>ConnectionChanged</code></li><li>Handles: none</li><li>Rules: <a href="/docs/rules/connections">docs/rules/connections.md</a></li><li>Start with <code>create-connection.ts</code>; <code>erp-ports.ts</code> connects this module to the ERP client.</li></ul></div>`,
  );
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add('modules/connections/README.md');
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const README = /* @__PURE__ */ _export_sfc(_sfc_main, [['ssrRender', _sfc_ssrRender]]);
export { __pageData, README as default };
