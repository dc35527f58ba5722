import { ssrRenderAttrs } from 'vue/server-renderer';
import { useSSRContext } from 'vue';
import { _ as _export_sfc } from './plugin-vue_export-helper.1tPrXgE0.js';
const __pageData = JSON.parse(
  '{"title":"rebuilds","description":"","frontmatter":{},"headers":[],"relativePath":"modules/rebuilds/index.md","filePath":"modules/rebuilds/README.md"}',
);
const _sfc_main = { name: 'modules/rebuilds/index.md' };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(
    `<div${ssrRenderAttrs(_attrs)}><h1 id="rebuilds" tabindex="-1">rebuilds <a class="header-anchor" href="#rebuilds" aria-label="Permalink to &quot;rebuilds&quot;">​</a></h1><p>Marks the menus of restaurants as dirty and asks for rebuilds, debounced per restaurant.</p><ul><li>Tables: <code>snapshot_request</code></li><li>Emits: none</li><li>Handles: <code>CatalogChanged</code>, <code>ErpMenuImported</code>, <code>ErpOrganizationsChanged</code>, <code>SnapshotPinChanged</code></li><li>Rules: <a href="/docs/rules/menus">docs/rules/menus.md</a></li><li>Start with <code>dirty-sources.ts</code> (which change makes which restaurants dirty), then <code>rules/debounce.ts</code> and <code>workflows/snapshot-rebuild.ts</code>.</li></ul></div>`,
  );
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add('modules/rebuilds/README.md');
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const README = /* @__PURE__ */ _export_sfc(_sfc_main, [['ssrRender', _sfc_ssrRender]]);
export { __pageData, README as default };
