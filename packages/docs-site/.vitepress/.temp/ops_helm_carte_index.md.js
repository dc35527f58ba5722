import { ssrRenderAttrs } from 'vue/server-renderer';
import { useSSRContext } from 'vue';
import { _ as _export_sfc } from './plugin-vue_export-helper.1tPrXgE0.js';
const __pageData = JSON.parse(
  '{"title":"Helm chart","description":"","frontmatter":{},"headers":[],"relativePath":"ops/helm/carte/index.md","filePath":"ops/helm/carte/README.md"}',
);
const _sfc_main = { name: 'ops/helm/carte/index.md' };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(
    `<div${ssrRenderAttrs(_attrs)}><h1 id="helm-chart" tabindex="-1">Helm chart <a class="header-anchor" href="#helm-chart" aria-label="Permalink to &quot;Helm chart&quot;">​</a></h1><p>The chart runs the processes of Carte on Kubernetes 1.30 or newer. PostgreSQL 18, Temporal 1.29 and S3 storage are external.</p><ol><li><p>Create the roles of <code>ops/postgres/roles.sql</code> in PostgreSQL and a bucket in the storage.</p></li><li><p>Build the image with <code>ops/Dockerfile</code> and push it to your registry.</p></li><li><p>Create a Secret with the keys that values.yaml lists under <code>secrets</code>. The names are those of <a href="/docs/configuration">the settings</a>.</p></li><li><p>Write <code>values.yaml</code> with the required settings and install:</p><div class="language-sh vp-adaptive-theme"><button title="Copy Code" class="copy"></button><span class="lang">sh</span><pre class="shiki shiki-themes github-light github-dark vp-code" tabindex="0"><code><span class="line"><span style="--shiki-light:#6F42C1;--shiki-dark:#B392F0;">helm</span><span style="--shiki-light:#032F62;--shiki-dark:#9ECBFF;"> install</span><span style="--shiki-light:#032F62;--shiki-dark:#9ECBFF;"> shop</span><span style="--shiki-light:#032F62;--shiki-dark:#9ECBFF;"> ops/helm/carte</span><span style="--shiki-light:#005CC5;--shiki-dark:#79B8FF;"> --namespace</span><span style="--shiki-light:#032F62;--shiki-dark:#9ECBFF;"> carte</span><span style="--shiki-light:#005CC5;--shiki-dark:#79B8FF;"> --values</span><span style="--shiki-light:#032F62;--shiki-dark:#9ECBFF;"> values.yaml</span><span style="--shiki-light:#005CC5;--shiki-dark:#79B8FF;"> --wait</span></span></code></pre></div></li><li><p>Put an ingress or a proxy with TLS in front of the service <code>shop-gateway</code>, with one host for guests and one for staff. Reject <code>/api/admin</code> on the host of guests.</p></li></ol><p>Upgrade with <code>helm upgrade --wait</code>. Jobs prepare Temporal and migrate the database before the processes are replaced, and migrate once more afterward. Before an upgrade, run <code>npm run replay:live</code> in the new image (<a href="/docs/guides/upgrade#3-check-running-workflows">Upgrade</a>).</p><ul><li><strong>Connections.</strong> The chart is rejected if its processes could open more than <code>database.connections</code> connections during a rolling update.</li><li><strong>Workers.</strong> Each key of <code>workers</code> is a role: <code>sync</code>, <code>order</code>, <code>build</code>, <code>import</code> or <code>all</code>. <code>null</code> removes a role of the default values.</li><li><strong>Gateway.</strong> It uses <code>ops/gateway.conf</code>. Its upstream is a headless service, so it follows pods that are added or replaced.</li><li><strong>Network policies.</strong> With <code>networkPolicy.enabled</code>, only the gateway reaches the API, only <code>ingressNamespace</code> reaches the gateway, and only <code>monitoringNamespace</code> reads metrics. Outgoing traffic is not limited.</li></ul></div>`,
  );
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add('ops/helm/carte/README.md');
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const README = /* @__PURE__ */ _export_sfc(_sfc_main, [['ssrRender', _sfc_ssrRender]]);
export { __pageData, README as default };
