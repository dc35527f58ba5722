import { ssrRenderAttrs } from 'vue/server-renderer';
import { useSSRContext } from 'vue';
import { _ as _export_sfc } from './plugin-vue_export-helper.1tPrXgE0.js';
const __pageData = JSON.parse(
  '{"title":"mirror","description":"","frontmatter":{},"headers":[],"relativePath":"modules/mirror/index.md","filePath":"modules/mirror/README.md"}',
);
const _sfc_main = { name: 'modules/mirror/index.md' };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(
    `<div${ssrRenderAttrs(_attrs)}><h1 id="mirror" tabindex="-1">mirror <a class="header-anchor" href="#mirror" aria-label="Permalink to &quot;mirror&quot;">​</a></h1><p>Copies organizations, terminals, menus, stop-lists and delivery zones from the ERP. The only writer of <code>mirror_*</code>.</p><ul><li>Tables: <code>answered_organization</code>, <code>enabled_menu</code>, <code>external_menu_setting</code>, <code>import_pause</code>, <code>importable_connection</code>, <code>live_menu</code>, <code>menu_of_organization</code>, <code>mirror_delivery_defaults</code>, <code>mirror_delivery_zone</code>, <code>mirror_external_menu</code>, <code>mirror_item</code>, <code>mirror_item_menu</code>, <code>mirror_item_placement</code>, <code>mirror_item_size</code>, <code>mirror_menu_category</code>, <code>mirror_modifier_group</code>, <code>mirror_modifier_link</code>, <code>mirror_organization</code>, <code>mirror_price</code>, <code>mirror_price_category</code>, <code>mirror_product_category</code>, <code>mirror_reconciled</code>, <code>mirror_size_menu</code>, <code>mirror_stop_list</code>, <code>mirror_stop_list_state</code>, <code>mirror_terminal_group</code>, <code>mirror_zone_terms</code>, <code>refused_organization</code>, <code>schedule_paused_elsewhere</code>, <code>served_organization</code>, <code>service_item</code>, <code>stage_group</code>, <code>stage_item</code>, <code>stage_link</code>, <code>stage_menu_category</code>, <code>stage_placement</code>, <code>stage_price</code>, <code>stage_product_category</code>, <code>stage_size</code>, <code>stage_unread_item</code>, <code>sync_run</code>, <code>sync_shrink_acceptance</code>, <code>unsold_item</code></li><li>Emits: <code>CatalogChanged</code>, <code>ErpMenuImported</code>, <code>ErpOrganizationsChanged</code>, <code>ErpStopListChanged</code>, <code>ErpTerminalsChanged</code>, <code>ExternalMenusChanged</code>, <code>ImportPausesChanged</code></li><li>Handles: <code>ConnectionChanged</code>, <code>ErpOrganizationsChanged</code>, <code>ErpStopListsMarked</code>, <code>ExternalMenusChanged</code>, <code>ImportPausesChanged</code></li><li>Rules: <a href="/docs/rules/mirror">docs/rules/mirror.md</a></li><li>Start with <code>menu/apply-import.ts</code> for a menu import, <code>runs/</code> for the journal, <code>schedules/</code> for schedules, <code>list-shrink-guard.ts</code> and <code>menu/shrink-guard.ts</code> for guards.</li></ul></div>`,
  );
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add('modules/mirror/README.md');
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const README = /* @__PURE__ */ _export_sfc(_sfc_main, [['ssrRender', _sfc_ssrRender]]);
export { __pageData, README as default };
