import { ssrRenderAttrs } from 'vue/server-renderer';
import { useSSRContext } from 'vue';
import { _ as _export_sfc } from './plugin-vue_export-helper.1tPrXgE0.js';
const __pageData = JSON.parse(
  '{"title":"89. Images and Compose contain only what is listed, and every preparation is a repeatable service","description":"","frontmatter":{},"headers":[],"relativePath":"decisions/0089-images-and-compose.md","filePath":"docs/decisions/0089-images-and-compose.md"}',
);
const _sfc_main = { name: 'decisions/0089-images-and-compose.md' };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(
    `<div${ssrRenderAttrs(_attrs)}><h1 id="89-images-and-compose-contain-only-what-is-listed-and-every-preparation-is-a-repeatable-service" tabindex="-1">89. Images and Compose contain only what is listed, and every preparation is a repeatable service <a class="header-anchor" href="#89-images-and-compose-contain-only-what-is-listed-and-every-preparation-is-a-repeatable-service" aria-label="Permalink to &quot;89. Images and Compose contain only what is listed, and every preparation is a repeatable service&quot;">​</a></h1><h2 id="status" tabindex="-1">Status <a class="header-anchor" href="#status" aria-label="Permalink to &quot;Status&quot;">​</a></h2><p>Accepted.</p><h2 id="context" tabindex="-1">Context <a class="header-anchor" href="#context" aria-label="Permalink to &quot;Context&quot;">​</a></h2><p>The image contained the whole folder, including <code>.env</code>, tests and the emulator. Compose prepared Temporal by its own scripts, and nothing created the media bucket. Newcomers have no ERP, and operators want alerts without building a monitoring system.</p><h2 id="decision" tabindex="-1">Decision <a class="header-anchor" href="#decision" aria-label="Permalink to &quot;Decision&quot;">​</a></h2><ul><li><code>.dockerignore</code> is an allow-list. A test reads it as Docker does: secrets stay outside, every loaded module is inside, packages are below 200 MB.</li><li><code>migrate</code>, <code>temporal-schema</code>, <code>temporal-prepare</code> and <code>storage-prepare</code> each do one thing, end, and run at every start. Processes wait for them.</li><li>The profile <code>demo</code> adds the emulator and a program that creates the demo catalog, in an image of their own.</li><li>The profile <code>monitoring</code> adds Prometheus, Alertmanager, a PostgreSQL exporter and Grafana on local ports. Alertmanager needs a receiver to start.</li><li>The gateway caches only <code>/menu</code>, for one second, and only a 200 with <code>public</code>. Without an instance it serves the last copy.</li></ul><h2 id="consequences" tabindex="-1">Consequences <a class="header-anchor" href="#consequences" aria-label="Permalink to &quot;Consequences&quot;">​</a></h2><ul><li>A cached menu can be older after a pause; unused entries are removed after 40 s. Cached answers do not count against limits.</li><li>Tests do not build images; they compute the content and run the programs.</li></ul><h2 id="rejected-options" tabindex="-1">Rejected options <a class="header-anchor" href="#rejected-options" aria-label="Permalink to &quot;Rejected options&quot;">​</a></h2><ul><li>Caching <code>/menu/revision</code> and <code>/availability</code>: clients use them to detect changes.</li></ul></div>`,
  );
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add(
    'docs/decisions/0089-images-and-compose.md',
  );
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0089ImagesAndCompose = /* @__PURE__ */ _export_sfc(_sfc_main, [['ssrRender', _sfc_ssrRender]]);
export { __pageData, _0089ImagesAndCompose as default };
