import { ssrRenderAttrs } from 'vue/server-renderer';
import { useSSRContext } from 'vue';
import { _ as _export_sfc } from './plugin-vue_export-helper.1tPrXgE0.js';
const __pageData = JSON.parse(
  '{"title":"64. Lost connections are detected by time limits, and stopping instances drain first","description":"","frontmatter":{},"headers":[],"relativePath":"decisions/0064-lost-connections.md","filePath":"docs/decisions/0064-lost-connections.md"}',
);
const _sfc_main = { name: 'decisions/0064-lost-connections.md' };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(
    `<div${ssrRenderAttrs(_attrs)}><h1 id="64-lost-connections-are-detected-by-time-limits-and-stopping-instances-drain-first" tabindex="-1">64. Lost connections are detected by time limits, and stopping instances drain first <a class="header-anchor" href="#64-lost-connections-are-detected-by-time-limits-and-stopping-instances-drain-first" aria-label="Permalink to &quot;64. Lost connections are detected by time limits, and stopping instances drain first&quot;">​</a></h1><h2 id="status" tabindex="-1">Status <a class="header-anchor" href="#status" aria-label="Permalink to &quot;Status&quot;">​</a></h2><p>Accepted.</p><h2 id="context" tabindex="-1">Context <a class="header-anchor" href="#context" aria-label="Permalink to &quot;Context&quot;">​</a></h2><p>A network that drops packets reports nothing: statements wait and keep their locks. A stopping API instance lost orders on idle connections, and readiness that depended on the database removed all instances at once.</p><h2 id="decision" tabindex="-1">Decision <a class="header-anchor" href="#decision" aria-label="Permalink to &quot;Decision&quot;">​</a></h2><ul><li>A connection without an answer within <code>DATABASE_STATEMENT_TIMEOUT</code> plus 5 s is closed. PostgreSQL ends silent transactions after the same time.</li><li>Each API runs <code>select 1</code> on its listening connection every 5 s, each worker on a pool connection. After 10 s without an answer, connections without any received byte are closed (OPS-27). A new menu appears 15 s after the loss instead of 33 s.</li><li>Without the database, an API is ready: <code>/health/ready</code> returns 200 with <code>degraded</code>. Workers are not.</li><li>A stopping instance reports &quot;not ready&quot; for <code>SHUTDOWN_DRAIN</code>, accepts no new connections, closes each after its answer, and idle ones after 3 s. The gateway closes them after 2 s (<code>keepalive_timeout</code>).</li><li>The gateway never counts responses as failures (<code>max_fails=0</code>, <code>proxy_next_upstream error timeout</code>): a 503 concerns one restaurant.</li></ul><h2 id="consequences" tabindex="-1">Consequences <a class="header-anchor" href="#consequences" aria-label="Permalink to &quot;Consequences&quot;">​</a></h2><ul><li>A vanished host blocks others for less than two minutes.</li><li><code>query_timeout</code> of the driver must not be used: the old statement keeps running.</li></ul><h2 id="rejected-options" tabindex="-1">Rejected options <a class="header-anchor" href="#rejected-options" aria-label="Permalink to &quot;Rejected options&quot;">​</a></h2><ul><li>TCP keepalive alone: a sent statement is not idle, and proxies acknowledge for dead peers.</li><li><code>non_idempotent</code> retries in the gateway: not every POST has a key.</li></ul></div>`,
  );
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add(
    'docs/decisions/0064-lost-connections.md',
  );
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0064LostConnections = /* @__PURE__ */ _export_sfc(_sfc_main, [['ssrRender', _sfc_ssrRender]]);
export { __pageData, _0064LostConnections as default };
