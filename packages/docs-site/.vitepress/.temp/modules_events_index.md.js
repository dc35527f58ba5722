import { ssrRenderAttrs } from 'vue/server-renderer';
import { useSSRContext } from 'vue';
import { _ as _export_sfc } from './plugin-vue_export-helper.1tPrXgE0.js';
const __pageData = JSON.parse(
  '{"title":"events","description":"","frontmatter":{},"headers":[],"relativePath":"modules/events/index.md","filePath":"modules/events/README.md"}',
);
const _sfc_main = { name: 'modules/events/index.md' };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(
    `<div${ssrRenderAttrs(_attrs)}><h1 id="events" tabindex="-1">events <a class="header-anchor" href="#events" aria-label="Permalink to &quot;events&quot;">​</a></h1><p>Public events: recorded with the change that caused them, numbered in commit order, kept for 28 days, and delivered to webhook endpoints.</p><ul><li>Tables: <code>public_event</code>, <code>webhook_endpoint</code>, <code>webhook_delivery</code></li><li>Emits: nothing</li><li>Handles: nothing</li><li>Rules: <a href="/docs/rules/events">docs/rules/events.md</a></li><li>Start with <code>schemas/events.ts</code>, then <code>record-events.ts</code>, <code>number-events.ts</code> and <code>deliver-webhooks.ts</code>.</li></ul></div>`,
  );
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add('modules/events/README.md');
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const README = /* @__PURE__ */ _export_sfc(_sfc_main, [['ssrRender', _sfc_ssrRender]]);
export { __pageData, README as default };
