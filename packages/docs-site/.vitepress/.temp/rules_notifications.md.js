import { ssrRenderAttrs } from 'vue/server-renderer';
import { useSSRContext } from 'vue';
import { _ as _export_sfc } from './plugin-vue_export-helper.1tPrXgE0.js';
const __pageData = JSON.parse(
  '{"title":"Notifications","description":"","frontmatter":{},"headers":[],"relativePath":"rules/notifications.md","filePath":"docs/rules/notifications.md"}',
);
const _sfc_main = { name: 'rules/notifications.md' };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(
    `<div${ssrRenderAttrs(_attrs)}><h1 id="notifications" tabindex="-1">Notifications <a class="header-anchor" href="#notifications" aria-label="Permalink to &quot;Notifications&quot;">​</a></h1><ul><li><strong>NOT-1.</strong> An administrator notification has a known kind, and repetitions count on the one open notification per kind and subject.¹</li><li><strong>NOT-2.</strong> A notification is resolved automatically when its cause ends, and reading resolves only one-time reports.¹</li><li><strong>NOT-3.</strong> Notifications go once to webhook and e-mail, are retried until accepted or attempts run out, and staff can resend them.¹²</li><li><strong>NOT-4.</strong> No row, message, log or metric of a notification contains secrets or phone numbers.¹</li></ul></div>`,
  );
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add('docs/rules/notifications.md');
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const notifications = /* @__PURE__ */ _export_sfc(_sfc_main, [['ssrRender', _sfc_ssrRender]]);
export { __pageData, notifications as default };
