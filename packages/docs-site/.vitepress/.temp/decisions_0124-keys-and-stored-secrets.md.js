import { ssrRenderAttrs } from 'vue/server-renderer';
import { useSSRContext } from 'vue';
import { _ as _export_sfc } from './plugin-vue_export-helper.1tPrXgE0.js';
const __pageData = JSON.parse(
  '{"title":"124. Stored secrets are bound to their row, and keys rotate in two steps","description":"","frontmatter":{},"headers":[],"relativePath":"decisions/0124-keys-and-stored-secrets.md","filePath":"docs/decisions/0124-keys-and-stored-secrets.md"}',
);
const _sfc_main = { name: 'decisions/0124-keys-and-stored-secrets.md' };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(
    `<div${ssrRenderAttrs(_attrs)}><h1 id="124-stored-secrets-are-bound-to-their-row-and-keys-rotate-in-two-steps" tabindex="-1">124. Stored secrets are bound to their row, and keys rotate in two steps <a class="header-anchor" href="#124-stored-secrets-are-bound-to-their-row-and-keys-rotate-in-two-steps" aria-label="Permalink to &quot;124. Stored secrets are bound to their row, and keys rotate in two steps&quot;">​</a></h1><h2 id="status" tabindex="-1">Status <a class="header-anchor" href="#status" aria-label="Permalink to &quot;Status&quot;">​</a></h2><p>Accepted.</p><h2 id="context" tabindex="-1">Context <a class="header-anchor" href="#context" aria-label="Permalink to &quot;Context&quot;">​</a></h2><p>Ciphertexts were bound to their purpose only, so a writer to the database could exchange the secrets of two rows. A new first key broke processes without it, and token keys could not be replaced.</p><h2 id="decision" tabindex="-1">Decision <a class="header-anchor" href="#decision" aria-label="Permalink to &quot;Decision&quot;">​</a></h2><ul><li>A key whose id ends with <code>@row</code> encrypts for purpose and primary key. The id precedes each text, is authenticated and marks the format. Older releases refuse <code>@</code> in ids and do not start.</li><li><code>ENCRYPTION_KEYS</code> is rotated in order: append the key everywhere and restart; move it to the front and restart; run <code>npm run secrets:rotate</code> until it prints <code>&quot;rotated&quot;:0</code> for every table; remove the old key.</li><li>Processes record their keys in <code>running_process</code> every ten seconds. <code>secrets:rotate</code> and <code>keys:rotate</code> refuse while a process seen within two minutes lacks the first key. There is no <code>--force</code>.</li><li><code>npm run keys:rotate</code> replaces token keys. Retired keys stay valid for what they signed; with <code>--compromised</code> they do not.</li></ul><h2 id="consequences" tabindex="-1">Consequences <a class="header-anchor" href="#consequences" aria-label="Permalink to &quot;Consequences&quot;">​</a></h2><ul><li>An older text of the same row can be restored, and references between rows are not bound.</li><li>A process unseen for two minutes is not detected.</li></ul><h2 id="rejected-options" tabindex="-1">Rejected options <a class="header-anchor" href="#rejected-options" aria-label="Permalink to &quot;Rejected options&quot;">​</a></h2><ul><li>A format mark and a start date: state for all processes, and old texts would be accepted permanently.</li></ul></div>`,
  );
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add(
    'docs/decisions/0124-keys-and-stored-secrets.md',
  );
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0124KeysAndStoredSecrets = /* @__PURE__ */ _export_sfc(_sfc_main, [['ssrRender', _sfc_ssrRender]]);
export { __pageData, _0124KeysAndStoredSecrets as default };
