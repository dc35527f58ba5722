import { ssrRenderAttrs } from 'vue/server-renderer';
import { useSSRContext } from 'vue';
import { _ as _export_sfc } from './plugin-vue_export-helper.1tPrXgE0.js';
const __pageData = JSON.parse(
  '{"title":"delivery","description":"","frontmatter":{},"headers":[],"relativePath":"modules/delivery/index.md","filePath":"modules/delivery/README.md"}',
);
const _sfc_main = { name: 'modules/delivery/index.md' };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(
    `<div${ssrRenderAttrs(_attrs)}><h1 id="delivery" tabindex="-1">delivery <a class="header-anchor" href="#delivery" aria-label="Permalink to &quot;delivery&quot;">​</a></h1><p>Opening hours, slots, delivery zones, addresses, payment methods and guest notices of restaurants.</p><ul><li>Tables: <code>busy_mode</code>, <code>delivery_address</code>, <code>delivery_zone_view</code>, <code>erp_choices</code>, <code>expectation_rule</code>, <code>geocoder_answer</code>, <code>guest_notice</code>, <code>order_sending</code>, <code>ordering_config</code>, <code>ordering_schedule</code>, <code>payment_method</code>, <code>schedule_exception</code>, <code>zone_override</code></li><li>Emits: <code>BusyModeChanged</code></li><li>Handles: <code>BusyModeChanged</code>, <code>ConnectionChanged</code>, <code>ErpOrganizationsChanged</code></li><li>Rules: <a href="/docs/rules/delivery">docs/rules/delivery.md</a></li><li>Start with <code>served-clock.ts</code> for status and slots, <code>zones/resolve-delivery.ts</code> for zones, <code>rules/status.ts</code> and <code>rules/slots.ts</code>.</li></ul></div>`,
  );
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add('modules/delivery/README.md');
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const README = /* @__PURE__ */ _export_sfc(_sfc_main, [['ssrRender', _sfc_ssrRender]]);
export { __pageData, README as default };
