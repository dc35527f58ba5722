import { ssrRenderAttrs } from 'vue/server-renderer';
import { useSSRContext } from 'vue';
import { _ as _export_sfc } from './plugin-vue_export-helper.1tPrXgE0.js';
const __pageData = JSON.parse(
  '{"title":"150. API keys are machine accounts","description":"","frontmatter":{},"headers":[],"relativePath":"decisions/0150-api-keys.md","filePath":"docs/decisions/0150-api-keys.md"}',
);
const _sfc_main = { name: 'decisions/0150-api-keys.md' };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(
    `<div${ssrRenderAttrs(_attrs)}><h1 id="150-api-keys-are-machine-accounts" tabindex="-1">150. API keys are machine accounts <a class="header-anchor" href="#150-api-keys-are-machine-accounts" aria-label="Permalink to &quot;150. API keys are machine accounts&quot;">​</a></h1><h2 id="status" tabindex="-1">Status <a class="header-anchor" href="#status" aria-label="Permalink to &quot;Status&quot;">​</a></h2><p>Accepted.</p><h2 id="context" tabindex="-1">Context <a class="header-anchor" href="#context" aria-label="Permalink to &quot;Context&quot;">​</a></h2><p>Programs signed in as users: sessions ended, passwords were shared, and the audit named a person. Servers that render pages shared the limits of one IP address.</p><h2 id="decision" tabindex="-1">Decision <a class="header-anchor" href="#decision" aria-label="Permalink to &quot;Decision&quot;">​</a></h2><ul><li>An API key has a row in <code>access_user</code> with the same id, without password or role, and is not listed among users. <code>apiKeyId</code> marks audit entries.</li><li>Permissions belong to the key and stay when its creator leaves.</li><li>A storefront key has no permissions and its own header, because <code>Authorization</code> belongs to the customer.</li><li>Each process caches all keys for half a second, so a revocation takes effect within a second. An unknown token triggers a new read, at most 100 times a second. Without the database, the last keys apply.</li><li>The gateway passes requests with a well-formed key uncached and outside the limits per address, at most 500 a second.</li><li>The API answers an invalid key with 401, counts it against its real address (60 a minute), and then answers 429.</li></ul><h2 id="consequences" tabindex="-1">Consequences <a class="header-anchor" href="#consequences" aria-label="Permalink to &quot;Consequences&quot;">​</a></h2><ul><li>Permissions of keys are not limited to organizations, as those of staff.</li></ul><h2 id="rejected-options" tabindex="-1">Rejected options <a class="header-anchor" href="#rejected-options" aria-label="Permalink to &quot;Rejected options&quot;">​</a></h2><ul><li>Checking keys in the gateway: asking the API costs as much as the request.</li><li>Users for programs: they share passwords and belong to a person.</li></ul></div>`,
  );
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add('docs/decisions/0150-api-keys.md');
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0150ApiKeys = /* @__PURE__ */ _export_sfc(_sfc_main, [['ssrRender', _sfc_ssrRender]]);
export { __pageData, _0150ApiKeys as default };
