import { ssrRenderAttrs } from 'vue/server-renderer';
import { useSSRContext } from 'vue';
import { _ as _export_sfc } from './plugin-vue_export-helper.1tPrXgE0.js';
const __pageData = JSON.parse(
  '{"title":"binding","description":"","frontmatter":{},"headers":[],"relativePath":"modules/binding/index.md","filePath":"modules/binding/README.md"}',
);
const _sfc_main = { name: 'modules/binding/index.md' };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(
    `<div${ssrRenderAttrs(_attrs)}><h1 id="binding" tabindex="-1">binding <a class="header-anchor" href="#binding" aria-label="Permalink to &quot;binding&quot;">​</a></h1><p>Follows the ERP dishes behind variants: finds lost and renamed dishes, keeps incidents, suggests replacements.</p><ul><li>Tables: <code>binding_evaluation</code>, <code>binding_history</code>, <code>binding_incident</code></li><li>Emits: <code>BindingIncidentsChanged</code>, <code>CatalogChanged</code></li><li>Handles: <code>BindingIncidentsChanged</code>, <code>ErpMenuImported</code></li><li>Rules: <a href="/docs/rules/binding">docs/rules/binding.md</a></li><li>Start with <code>evaluate-bindings.ts</code> and <code>rules/binding-states.ts</code>.</li></ul></div>`,
  );
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add('modules/binding/README.md');
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const README = /* @__PURE__ */ _export_sfc(_sfc_main, [['ssrRender', _sfc_ssrRender]]);
export { __pageData, README as default };
