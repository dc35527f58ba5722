import { ssrRenderAttrs } from 'vue/server-renderer';
import { useSSRContext } from 'vue';
import { _ as _export_sfc } from './plugin-vue_export-helper.1tPrXgE0.js';
const __pageData = JSON.parse(
  '{"title":"Traces","description":"","frontmatter":{},"headers":[],"relativePath":"tracing.md","filePath":"docs/tracing.md"}',
);
const _sfc_main = { name: 'tracing.md' };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(
    `<div${ssrRenderAttrs(_attrs)}><h1 id="traces" tabindex="-1">Traces <a class="header-anchor" href="#traces" aria-label="Permalink to &quot;Traces&quot;">​</a></h1><p>A trace shows one request with everything that follows from it: events, workflows, activities, ERP calls and statements. Tracing is off by default. Any OTLP receiver over HTTP works, such as an OpenTelemetry Collector, Jaeger or Tempo:</p><div class="language-sh vp-adaptive-theme"><button title="Copy Code" class="copy"></button><span class="lang">sh</span><pre class="shiki shiki-themes github-light github-dark vp-code" tabindex="0"><code><span class="line"><span style="--shiki-light:#24292E;--shiki-dark:#E1E4E8;">OTEL_TRACES_EXPORTER</span><span style="--shiki-light:#D73A49;--shiki-dark:#F97583;">=</span><span style="--shiki-light:#032F62;--shiki-dark:#9ECBFF;">otlp</span><span style="--shiki-light:#24292E;--shiki-dark:#E1E4E8;"> OTEL_EXPORTER_OTLP_ENDPOINT</span><span style="--shiki-light:#D73A49;--shiki-dark:#F97583;">=</span><span style="--shiki-light:#032F62;--shiki-dark:#9ECBFF;">http://collector:4318</span></span></code></pre></div><p>Every process needs these two variables; the <a href="/docs/configuration#tracing">other settings</a> are the standard ones of OpenTelemetry. <code>docker-compose.yml</code> passes them on. Spans are sent as JSON.</p><table tabindex="0"><thead><tr><th>Span</th><th>Meaning</th></tr></thead><tbody><tr><td><code>POST /api/admin/v1/connections</code></td><td>a request, by the template of its route</td></tr><tr><td><code>deliver ConnectionChanged</code></td><td>the delivery of an event</td></tr><tr><td><code>StartWorkflow:…</code>, <code>SignalWorkflow:…</code>, <code>SignalWithStartWorkflow:…</code></td><td>a call to Temporal</td></tr><tr><td><code>RunWorkflow:connectionSync</code></td><td>an execution, sent when it has ended</td></tr><tr><td><code>RunActivity:importOrganizations</code></td><td>one attempt of an activity</td></tr><tr><td><code>POST /api/1/organizations</code></td><td>a request to the ERP, by its endpoint</td></tr><tr><td><code>SELECT</code>, <code>INSERT</code>, …</td><td>a statement, with its text without values</td></tr></tbody></table><ul><li>Problems contain <code>traceId</code> beside <code>requestId</code>, as do log lines.</li><li>Menus, revisions, availability and restaurant status are not traced.</li><li>A scheduled execution is a separate trace. Its id is the run id without dashes.</li><li>An execution that was signaled by another request continues with the trace of that request.</li><li><code>OTEL_TRACES_SAMPLER=parentbased_traceidratio</code> with <code>OTEL_TRACES_SAMPLER_ARG=0.05</code> records every twentieth trace.</li><li>An unreachable receiver loses spans only; the log reports it once a minute.</li></ul><p>See <a href="/docs/decisions/0120-observability">decision 120</a>.</p></div>`,
  );
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add('docs/tracing.md');
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const tracing = /* @__PURE__ */ _export_sfc(_sfc_main, [['ssrRender', _sfc_ssrRender]]);
export { __pageData, tracing as default };
