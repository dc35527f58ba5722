import { ssrRenderAttrs } from 'vue/server-renderer';
import { useSSRContext } from 'vue';
import { _ as _export_sfc } from './plugin-vue_export-helper.1tPrXgE0.js';
const __pageData = JSON.parse(
  '{"title":"notifications","description":"","frontmatter":{},"headers":[],"relativePath":"modules/notifications/index.md","filePath":"modules/notifications/README.md"}',
);
const _sfc_main = { name: 'modules/notifications/index.md' };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(
    `<div${ssrRenderAttrs(_attrs)}><h1 id="notifications" tabindex="-1">notifications <a class="header-anchor" href="#notifications" aria-label="Permalink to &quot;notifications&quot;">​</a></h1><p>Notifications for administrators: raised once per subject, sent by mail or webhook, resolved when the cause ends.</p><ul><li>Tables: <code>notification</code>, <code>notification_member</code></li><li>Emits: <code>NotificationRaised</code></li><li>Handles: <code>NotificationRaised</code></li><li>Rules: <a href="/docs/rules/notifications">docs/rules/notifications.md</a></li><li>Start with <code>raise-notification.ts</code>, then <code>send-notification.ts</code>.</li></ul></div>`,
  );
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add('modules/notifications/README.md');
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const README = /* @__PURE__ */ _export_sfc(_sfc_main, [['ssrRender', _sfc_ssrRender]]);
export { __pageData, README as default };
