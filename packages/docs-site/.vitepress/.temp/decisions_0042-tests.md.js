import { ssrRenderAttrs } from 'vue/server-renderer';
import { useSSRContext } from 'vue';
import { _ as _export_sfc } from './plugin-vue_export-helper.1tPrXgE0.js';
const __pageData = JSON.parse(
  '{"title":"42. Tests run against real servers, share modules per process, and wait for conditions","description":"","frontmatter":{},"headers":[],"relativePath":"decisions/0042-tests.md","filePath":"docs/decisions/0042-tests.md"}',
);
const _sfc_main = { name: 'decisions/0042-tests.md' };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(
    `<div${ssrRenderAttrs(_attrs)}><h1 id="42-tests-run-against-real-servers-share-modules-per-process-and-wait-for-conditions" tabindex="-1">42. Tests run against real servers, share modules per process, and wait for conditions <a class="header-anchor" href="#42-tests-run-against-real-servers-share-modules-per-process-and-wait-for-conditions" aria-label="Permalink to &quot;42. Tests run against real servers, share modules per process, and wait for conditions&quot;">​</a></h1><h2 id="status" tabindex="-1">Status <a class="header-anchor" href="#status" aria-label="Permalink to &quot;Status&quot;">​</a></h2><p>Accepted.</p><h2 id="context" tabindex="-1">Context <a class="header-anchor" href="#context" aria-label="Permalink to &quot;Context&quot;">​</a></h2><p>Mocked databases and workflow servers hide the faults that matter. A full run took 13 minutes, mostly for work repeated per file, and failed at random on busy machines.</p><h2 id="decision" tabindex="-1">Decision <a class="header-anchor" href="#decision" aria-label="Permalink to &quot;Decision&quot;">​</a></h2><ul><li><code>npm test</code> starts PostgreSQL and Temporal. Each suite has its own database, copied from a template with <code>strategy file_copy</code>, and its own queue prefix. The ERP is the emulator.</li><li><code>test/support/jest/</code> replaces Jest&#39;s environment and runtime, so a module loads once per process. Module mocks, fake timers and coverage are unavailable.</li><li>Four Jest processes. Up to five failed files run again alone and are printed under &quot;Failed under load&quot;.</li><li><code>eventually</code> waits for a condition, at most two minutes. Delayed emulator responses are released with <code>clear-faults</code>.</li><li>Product schedules have intervals of 27 years (<code>quiet-schedules.ts</code>), because Temporal aligns intervals to 1970.</li></ul><h2 id="consequences" tabindex="-1">Consequences <a class="header-anchor" href="#consequences" aria-label="Permalink to &quot;Consequences&quot;">​</a></h2><ul><li>6,600 tests take 412 to 457 s instead of 590.</li><li>A rare race passes if its file passes alone. Race tests therefore stop competitors at the relevant place (<code>test/support/races.ts</code>).</li></ul><h2 id="rejected-options" tabindex="-1">Rejected options <a class="header-anchor" href="#rejected-options" aria-label="Permalink to &quot;Rejected options&quot;">​</a></h2><ul><li><code>jest-light-runner</code>: no time-outs.</li><li>Five processes, or longer time-outs: failures under load remained.</li></ul></div>`,
  );
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add('docs/decisions/0042-tests.md');
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0042Tests = /* @__PURE__ */ _export_sfc(_sfc_main, [['ssrRender', _sfc_ssrRender]]);
export { __pageData, _0042Tests as default };
