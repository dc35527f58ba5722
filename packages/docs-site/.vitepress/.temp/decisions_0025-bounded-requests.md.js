import { ssrRenderAttrs } from 'vue/server-renderer';
import { useSSRContext } from 'vue';
import { _ as _export_sfc } from './plugin-vue_export-helper.1tPrXgE0.js';
const __pageData = JSON.parse(
  '{"title":"25. Requests are bounded before they are parsed and counted per client across processes","description":"","frontmatter":{},"headers":[],"relativePath":"decisions/0025-bounded-requests.md","filePath":"docs/decisions/0025-bounded-requests.md"}',
);
const _sfc_main = { name: 'decisions/0025-bounded-requests.md' };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(
    `<div${ssrRenderAttrs(_attrs)}><h1 id="25-requests-are-bounded-before-they-are-parsed-and-counted-per-client-across-processes" tabindex="-1">25. Requests are bounded before they are parsed and counted per client across processes <a class="header-anchor" href="#25-requests-are-bounded-before-they-are-parsed-and-counted-per-client-across-processes" aria-label="Permalink to &quot;25. Requests are bounded before they are parsed and counted per client across processes&quot;">​</a></h1><h2 id="status" tabindex="-1">Status <a class="header-anchor" href="#status" aria-label="Permalink to &quot;Status&quot;">​</a></h2><p>Accepted.</p><h2 id="context" tabindex="-1">Context <a class="header-anchor" href="#context" aria-label="Permalink to &quot;Context&quot;">​</a></h2><p>A request of 96 KB with 6,000 invalid nodes blocked a process for 18 s, because Ajv&#39;s <code>allErrors</code> collected every branch. Guests behind a TLS proxy shared one limit, and each process counted for itself.</p><h2 id="decision" tabindex="-1">Decision <a class="header-anchor" href="#decision" aria-label="Permalink to &quot;Decision&quot;">​</a></h2><ul><li>Bodies have a limit per route (64 KB) and a number of values (one per 20 bytes, at least 5,000), counted before parsing. JSON is strict UTF-8 (<code>api/http/json-body.ts</code>).</li><li>Ajv stops at the first error; <code>api/http/field-errors.ts</code> walks only the rejected value. Answers show 50 errors and an exact <code>errorsOmitted</code>.</li><li><code>TRUST_PROXY</code> names proxies. A client is the first untrusted address, or an IPv6 /64 network.</li><li><code>countInWindow</code> counts several keys in one statement in an unlogged table, on its own connection, so that counts survive failed requests. Reads are counted in the process.</li><li>Valid promo codes are refunded. An address that used up its sign-in attempts no longer counts against accounts. Wrong passwords are also counted per /48, with four times the limit.</li><li>An idempotency key belongs to a user, customer or cart; its fingerprint is an HMAC. Public routes have none.</li></ul><h2 id="consequences" tabindex="-1">Consequences <a class="header-anchor" href="#consequences" aria-label="Permalink to &quot;Consequences&quot;">​</a></h2><ul><li>966 hostile bodies over 99 operations take at most 13 ms.</li></ul><h2 id="rejected-options" tabindex="-1">Rejected options <a class="header-anchor" href="#rejected-options" aria-label="Permalink to &quot;Rejected options&quot;">​</a></h2><ul><li><code>allErrors</code>: it compares all objects of <code>uniqueItems</code> lists pairwise.</li><li><code>rate-limiter-flexible</code>: one key per statement. Redis: one more service. Sliding windows: a row per event.</li></ul></div>`,
  );
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add(
    'docs/decisions/0025-bounded-requests.md',
  );
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0025BoundedRequests = /* @__PURE__ */ _export_sfc(_sfc_main, [['ssrRender', _sfc_ssrRender]]);
export { __pageData, _0025BoundedRequests as default };
