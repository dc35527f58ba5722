import { ssrRenderAttrs } from 'vue/server-renderer';
import { useSSRContext } from 'vue';
import { _ as _export_sfc } from './plugin-vue_export-helper.1tPrXgE0.js';
const __pageData = JSON.parse(
  '{"title":"120. Operators see state from rows, optional traces of our own spans, and tested runbooks","description":"","frontmatter":{},"headers":[],"relativePath":"decisions/0120-observability.md","filePath":"docs/decisions/0120-observability.md"}',
);
const _sfc_main = { name: 'decisions/0120-observability.md' };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(
    `<div${ssrRenderAttrs(_attrs)}><h1 id="120-operators-see-state-from-rows-optional-traces-of-our-own-spans-and-tested-runbooks" tabindex="-1">120. Operators see state from rows, optional traces of our own spans, and tested runbooks <a class="header-anchor" href="#120-operators-see-state-from-rows-optional-traces-of-our-own-spans-and-tested-runbooks" aria-label="Permalink to &quot;120. Operators see state from rows, optional traces of our own spans, and tested runbooks&quot;">​</a></h1><h2 id="status" tabindex="-1">Status <a class="header-anchor" href="#status" aria-label="Permalink to &quot;Status&quot;">​</a></h2><p>Accepted.</p><h2 id="context" tabindex="-1">Context <a class="header-anchor" href="#context" aria-label="Permalink to &quot;Context&quot;">​</a></h2><p>Gauges set when a run closes are wrong after a restart. Notifications must arrive once across crashes. Tracing packages send URLs by default, and an untested runbook fails at night.</p><h2 id="decision" tabindex="-1">Decision <a class="header-anchor" href="#decision" aria-label="Permalink to &quot;Decision&quot;">​</a></h2><ul><li>Gauges about pending work are read from rows at each scrape, within 3 s. Without a database they are absent and <code>carte_state_up</code> is 0 (OPS-79).</li><li>A workflow sends notifications: 12 tries over four hours, then <code>send_ended_at</code> and an alert. Repeated messages keep their id.</li><li>Tracing is off by default and then loads no OpenTelemetry module. Spans are ours: request, statement, ERP call, activity, workflow start. They contain route templates and placeholders, never bodies, URLs or messages (OPS-53).</li><li>The hot path is not traced. A caller&#39;s <code>traceparent</code> is ignored, and the ERP receives none.</li><li>Tests provoke each alert in real processes. Its runbook statement must find the row, and <code>promtool</code> must show it silent before and firing after.</li></ul><h2 id="consequences" tabindex="-1">Consequences <a class="header-anchor" href="#consequences" aria-label="Permalink to &quot;Consequences&quot;">​</a></h2><ul><li>Prometheus does not count a counter&#39;s first appearance, so two alerts miss the first failure in a process.</li></ul><h2 id="rejected-options" tabindex="-1">Rejected options <a class="header-anchor" href="#rejected-options" aria-label="Permalink to &quot;Rejected options&quot;">​</a></h2><ul><li>Instrumentation packages: they send URLs and addresses unless each is disabled.</li><li><code>interceptors-opentelemetry</code> 1.24.0: its random numbers change replays (sdk-typescript issues 2023, 2142 and 1677).</li><li>Spans for hot reads: each costs more than the 20 µs answer.</li></ul></div>`,
  );
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add('docs/decisions/0120-observability.md');
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0120Observability = /* @__PURE__ */ _export_sfc(_sfc_main, [['ssrRender', _sfc_ssrRender]]);
export { __pageData, _0120Observability as default };
