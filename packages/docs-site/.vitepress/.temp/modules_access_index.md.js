import { ssrRenderAttrs } from 'vue/server-renderer';
import { useSSRContext } from 'vue';
import { _ as _export_sfc } from './plugin-vue_export-helper.1tPrXgE0.js';
const __pageData = JSON.parse(
  '{"title":"access","description":"","frontmatter":{},"headers":[],"relativePath":"modules/access/index.md","filePath":"modules/access/README.md"}',
);
const _sfc_main = { name: 'modules/access/index.md' };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(
    `<div${ssrRenderAttrs(_attrs)}><h1 id="access" tabindex="-1">access <a class="header-anchor" href="#access" aria-label="Permalink to &quot;access&quot;">​</a></h1><p>Staff users, API keys (<code>api-keys/</code>), roles, sessions, second factors, single sign-on, the audit (<code>audit/</code>), and identities and personal data of customers (<code>customers/</code>).</p><ul><li>Tables: <code>access_api_key</code>, <code>access_api_key_secret</code>, <code>access_identity</code>, <code>access_role</code>, <code>access_second_factor</code>, <code>access_session</code>, <code>access_sign_on</code>, <code>access_signing_key</code>, <code>access_user</code>, <code>access_user_role</code>, <code>audit_entry</code>, <code>audit_seal</code>, <code>personal_data</code>, <code>security_event</code></li><li>Emits: none</li><li>Handles: none</li><li>Rules: <a href="/docs/rules/access">docs/rules/access.md</a></li><li>Start with <code>login.ts</code>, <code>session.ts</code> and <code>audit/record-audit.ts</code>.</li></ul></div>`,
  );
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add('modules/access/README.md');
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const README = /* @__PURE__ */ _export_sfc(_sfc_main, [['ssrRender', _sfc_ssrRender]]);
export { __pageData, README as default };
