import { ssrRenderAttrs } from 'vue/server-renderer';
import { useSSRContext } from 'vue';
import { _ as _export_sfc } from './plugin-vue_export-helper.1tPrXgE0.js';
const __pageData = JSON.parse(
  '{"title":"Connections","description":"","frontmatter":{},"headers":[],"relativePath":"rules/connections.md","filePath":"docs/rules/connections.md"}',
);
const _sfc_main = { name: 'rules/connections.md' };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(
    `<div${ssrRenderAttrs(_attrs)}><h1 id="connections" tabindex="-1">Connections <a class="header-anchor" href="#connections" aria-label="Permalink to &quot;Connections&quot;">​</a></h1><ul><li><strong>CON-1.</strong> A connection permanently belongs to one legal entity, which must be active at its creation.¹²</li><li><strong>CON-2.</strong> The name (up to 200 characters) and credential <code>apiLogin</code> (up to 500) are required, and the encrypted credential appears in no answer, audit, event or log.¹²</li><li><strong>CON-3.</strong> A legal entity can have several connections, listed by creation.¹</li><li><strong>CON-4.</strong> A connection is ACTIVE or DISABLED, and disabling it stops its imports, including running ones.¹</li><li><strong>CON-5.</strong> Connections are never deleted.¹</li><li><strong>CON-6.</strong> Former connections without an owner remain hidden and disabled, and their organizations remain.¹²</li><li><strong>CON-7.</strong> If a legal entity or its franchisee is inactive, its connections are skipped without calls to the ERP.¹²</li><li><strong>CON-8.</strong> Replacing the credential restarts everything with the new one.¹</li><li><strong>CON-9.</strong> A new connection starts its first imports by an event, job by job in order.¹²</li><li><strong>CON-10.</strong> After the encryption key is replaced, only the new key decrypts the data.¹</li><li><strong>CON-11.</strong> <code>/sync/status</code> shows each connection&#39;s owner, circuit state and any rejected credential.¹</li></ul></div>`,
  );
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add('docs/rules/connections.md');
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const connections = /* @__PURE__ */ _export_sfc(_sfc_main, [['ssrRender', _sfc_ssrRender]]);
export { __pageData, connections as default };
