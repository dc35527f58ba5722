import { ssrRenderAttrs } from 'vue/server-renderer';
import { useSSRContext } from 'vue';
import { _ as _export_sfc } from './plugin-vue_export-helper.1tPrXgE0.js';
const __pageData = JSON.parse(
  '{"title":"1. PostgreSQL stores every fact, Temporal runs what waits, and an outbox connects them","description":"","frontmatter":{},"headers":[],"relativePath":"decisions/0001-postgresql-and-temporal.md","filePath":"docs/decisions/0001-postgresql-and-temporal.md"}',
);
const _sfc_main = { name: 'decisions/0001-postgresql-and-temporal.md' };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(
    `<div${ssrRenderAttrs(_attrs)}><h1 id="1-postgresql-stores-every-fact-temporal-runs-what-waits-and-an-outbox-connects-them" tabindex="-1">1. PostgreSQL stores every fact, Temporal runs what waits, and an outbox connects them <a class="header-anchor" href="#1-postgresql-stores-every-fact-temporal-runs-what-waits-and-an-outbox-connects-them" aria-label="Permalink to &quot;1. PostgreSQL stores every fact, Temporal runs what waits, and an outbox connects them&quot;">​</a></h1><h2 id="status" tabindex="-1">Status <a class="header-anchor" href="#status" aria-label="Permalink to &quot;Status&quot;">​</a></h2><p>Accepted.</p><h2 id="context" tabindex="-1">Context <a class="header-anchor" href="#context" aria-label="Permalink to &quot;Context&quot;">​</a></h2><p>Imports, rebuilds and orders must survive crashes, never run twice, and be visible to operators. An earlier outbox held row locks while listeners called Temporal; 200 failing rows blocked every later event.</p><h2 id="decision" tabindex="-1">Decision <a class="header-anchor" href="#decision" aria-label="Permalink to &quot;Decision&quot;">​</a></h2><ul><li>Facts and pending work are rows: <code>snapshot_request.dirty_seq</code>, <code>mirror_external_menu.full_due</code>, <code>mirror_stop_list_state.dirty_at</code>, <code>outbox.delivered_at</code>, RUNNING runs. A reconciler restarts work even if Temporal lost its database.</li><li>Workflow ids are locks (<code>modules/*/messages</code>). Signals are hints to read the row again. Payloads contain ids and counters only.</li><li>Each capability exports its listeners in <code>listeners.ts</code>; an event without a listener fails a test.</li><li>One statement claims a row with a lease. No transaction is open while listeners run. <code>attempts</code> is the lease token.</li><li>Retries back off from 1 s to 10 minutes. After 20 attempts the row is parked and <code>carte_outbox_parked</code> raises an alert. A Temporal outage counts as at most four attempts.</li><li>Delivery starts after the commit; a sweep finds what a crash left.</li></ul><h2 id="consequences" tabindex="-1">Consequences <a class="header-anchor" href="#consequences" aria-label="Permalink to &quot;Consequences&quot;">​</a></h2><ul><li>Events have no order. Listeners tolerate repetition and read current rows.</li></ul><h2 id="rejected-options" tabindex="-1">Rejected options <a class="header-anchor" href="#rejected-options" aria-label="Permalink to &quot;Rejected options&quot;">​</a></h2><ul><li>Our own job table, a message queue, or state in workflows: less visible, or lost with Temporal&#39;s database.</li><li><code>LISTEN</code> in every process: each event would activate all 20 instances and serialize commits.</li></ul></div>`,
  );
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add(
    'docs/decisions/0001-postgresql-and-temporal.md',
  );
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0001PostgresqlAndTemporal = /* @__PURE__ */ _export_sfc(_sfc_main, [['ssrRender', _sfc_ssrRender]]);
export { __pageData, _0001PostgresqlAndTemporal as default };
