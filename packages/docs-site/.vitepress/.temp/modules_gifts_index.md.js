import { ssrRenderAttrs } from 'vue/server-renderer';
import { useSSRContext } from 'vue';
import { _ as _export_sfc } from './plugin-vue_export-helper.1tPrXgE0.js';
const __pageData = JSON.parse(
  '{"title":"gifts","description":"","frontmatter":{},"headers":[],"relativePath":"modules/gifts/index.md","filePath":"modules/gifts/README.md"}',
);
const _sfc_main = { name: 'modules/gifts/index.md' };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(
    `<div${ssrRenderAttrs(_attrs)}><h1 id="gifts" tabindex="-1">gifts <a class="header-anchor" href="#gifts" aria-label="Permalink to &quot;gifts&quot;">​</a></h1><p>Rights to compensation gifts: granted by staff or markers, reserved by orders, redeemed at most once. The API calls them compensations.</p><ul><li>Tables: <code>client_card</code>, <code>client_history</code>, <code>client_marker</code>, <code>compensation</code>, <code>compensation_candidate</code>, <code>compensation_client</code>, <code>compensation_conflict</code>, <code>compensation_move</code>, <code>erp_gift_line</code>, <code>erp_gift_order</code>, <code>marker_clearing</code>, <code>reward</code>, <code>reward_former_dish</code>, <code>unauthorized_gift</code></li><li>Emits: <code>MarkersWait</code></li><li>Handles: <code>MarkersWait</code></li><li>Rules: <a href="/docs/rules/gifts">docs/rules/gifts.md</a></li><li>Start with <code>move-rights.ts</code> and <code>rules/states.ts</code> for the ledger, <code>gifts-after-order.ts</code> and its <code>rules/after-order.ts</code> for the gifts of an order.</li></ul></div>`,
  );
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add('modules/gifts/README.md');
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const README = /* @__PURE__ */ _export_sfc(_sfc_main, [['ssrRender', _sfc_ssrRender]]);
export { __pageData, README as default };
