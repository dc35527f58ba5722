import { ssrRenderAttrs } from 'vue/server-renderer';
import { useSSRContext } from 'vue';
import { _ as _export_sfc } from './plugin-vue_export-helper.1tPrXgE0.js';
const __pageData = JSON.parse(
  '{"title":"webhooks","description":"","frontmatter":{},"headers":[],"relativePath":"modules/webhooks/index.md","filePath":"modules/webhooks/README.md"}',
);
const _sfc_main = { name: 'modules/webhooks/index.md' };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(
    `<div${ssrRenderAttrs(_attrs)}><h1 id="webhooks" tabindex="-1">webhooks <a class="header-anchor" href="#webhooks" aria-label="Permalink to &quot;webhooks&quot;">​</a></h1><p>Receives events of the ERP and turns them into hints for imports and orders.</p><ul><li>Tables: <code>webhook_event</code></li><li>Emits: <code>ErpOrderChanged</code>, <code>ErpStopListsMarked</code></li><li>Handles: none</li><li>Rules: <a href="/docs/rules/webhooks">docs/rules/webhooks.md</a></li><li>Start with <code>receive-webhook.ts</code>.</li></ul></div>`,
  );
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add('modules/webhooks/README.md');
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const README = /* @__PURE__ */ _export_sfc(_sfc_main, [['ssrRender', _sfc_ssrRender]]);
export { __pageData, README as default };
