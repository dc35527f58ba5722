import { ssrRenderAttrs } from 'vue/server-renderer';
import { useSSRContext } from 'vue';
import { _ as _export_sfc } from './plugin-vue_export-helper.1tPrXgE0.js';
const __pageData = JSON.parse(
  '{"title":"140. Maintenance and polls run in workers, without Temporal","description":"","frontmatter":{},"headers":[],"relativePath":"decisions/0140-periodic-tasks.md","filePath":"docs/decisions/0140-periodic-tasks.md"}',
);
const _sfc_main = { name: 'decisions/0140-periodic-tasks.md' };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(
    `<div${ssrRenderAttrs(_attrs)}><h1 id="140-maintenance-and-polls-run-in-workers-without-temporal" tabindex="-1">140. Maintenance and polls run in workers, without Temporal <a class="header-anchor" href="#140-maintenance-and-polls-run-in-workers-without-temporal" aria-label="Permalink to &quot;140. Maintenance and polls run in workers, without Temporal&quot;">​</a></h1><h2 id="status" tabindex="-1">Status <a class="header-anchor" href="#status" aria-label="Permalink to &quot;Status&quot;">​</a></h2><p>Accepted.</p><h2 id="context" tabindex="-1">Context <a class="header-anchor" href="#context" aria-label="Permalink to &quot;Context&quot;">​</a></h2><p>One idle connection with one menu caused 17,400 executions and 473,000 history events a day, half of them from Temporal&#39;s schedules. They hid everything else in the list of executions.</p><h2 id="decision" tabindex="-1">Decision <a class="header-anchor" href="#decision" aria-label="Permalink to &quot;Decision&quot;">​</a></h2><ul><li>Maintenance and polls are rows of <code>periodic_task</code>. Once a second each worker claims a due row with one <code>update</code> and a renewed lease of 15 s. Intervals follow the database clock.</li><li>A poll only detects that nothing changed. A stop-list poll does the import&#39;s work and rolls back if an item changed; a menu poll compares revisions. Otherwise it starts the import workflow under its lock.</li><li>Hourly and rarer work keeps its Temporal schedule, about 200 executions a day.</li></ul><h2 id="consequences" tabindex="-1">Consequences <a class="header-anchor" href="#consequences" aria-label="Permalink to &quot;Consequences&quot;">​</a></h2><ul><li>A change costs one more ERP call.</li><li>Order polls continue while Temporal is unavailable.</li><li><code>POST /sync/pauses</code> pauses polls; Temporal&#39;s UI cannot.</li></ul><h2 id="rejected-options" tabindex="-1">Rejected options <a class="header-anchor" href="#rejected-options" aria-label="Permalink to &quot;Rejected options&quot;">​</a></h2><ul><li>A session-level advisory lock: a pool connection per task, and no record.</li><li>Workflows with continue-as-new: 6 to 11 events per poll.</li><li>Schedules that start the import: they append the time to the id, which cannot be the lock.</li></ul></div>`,
  );
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add('docs/decisions/0140-periodic-tasks.md');
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0140PeriodicTasks = /* @__PURE__ */ _export_sfc(_sfc_main, [['ssrRender', _sfc_ssrRender]]);
export { __pageData, _0140PeriodicTasks as default };
