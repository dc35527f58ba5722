import { ssrRenderAttrs } from 'vue/server-renderer';
import { useSSRContext } from 'vue';
import { _ as _export_sfc } from './plugin-vue_export-helper.1tPrXgE0.js';
const __pageData = JSON.parse(
  '{"title":"menus","description":"","frontmatter":{},"headers":[],"relativePath":"modules/menus/index.md","filePath":"modules/menus/README.md"}',
);
const _sfc_main = { name: 'modules/menus/index.md' };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(
    `<div${ssrRenderAttrs(_attrs)}><h1 id="menus" tabindex="-1">menus <a class="header-anchor" href="#menus" aria-label="Permalink to &quot;menus&quot;">​</a></h1><p>The public menu: what can be sold now (<code>offers/</code>), building and publishing snapshots (<code>snapshot/</code>), and serving them from memory (<code>storefront/</code>).</p><ul><li>Tables: <code>snapshot</code>, <code>snapshot_pin</code>, <code>snapshot_revision</code></li><li>Emits: <code>CatalogChanged</code>, <code>SnapshotPinChanged</code></li><li>Handles: <code>ErpStopListChanged</code>, <code>ErpTerminalsChanged</code>, <code>SnapshotPinChanged</code></li><li>Rules: <a href="/docs/rules/menus">docs/rules/menus.md</a></li><li>Start with <code>snapshot/build-snapshot.ts</code>, <code>rules/snapshot/assemble.ts</code>, <code>storefront/menu-store.ts</code>. <a href="/docs/modules/rebuilds/">rebuilds</a> decides when a menu is built again: after a quiet time (debounce).</li></ul></div>`,
  );
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add('modules/menus/README.md');
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const README = /* @__PURE__ */ _export_sfc(_sfc_main, [['ssrRender', _sfc_ssrRender]]);
export { __pageData, README as default };
