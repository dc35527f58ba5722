import { ssrRenderAttrs } from 'vue/server-renderer';
import { useSSRContext } from 'vue';
import { _ as _export_sfc } from './plugin-vue_export-helper.1tPrXgE0.js';
const __pageData = JSON.parse(
  '{"title":"102. Releases are checked by replaying live histories instead of Worker Versioning","description":"","frontmatter":{},"headers":[],"relativePath":"decisions/0102-releases-and-replay.md","filePath":"docs/decisions/0102-releases-and-replay.md"}',
);
const _sfc_main = { name: 'decisions/0102-releases-and-replay.md' };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(
    `<div${ssrRenderAttrs(_attrs)}><h1 id="102-releases-are-checked-by-replaying-live-histories-instead-of-worker-versioning" tabindex="-1">102. Releases are checked by replaying live histories instead of Worker Versioning <a class="header-anchor" href="#102-releases-are-checked-by-replaying-live-histories-instead-of-worker-versioning" aria-label="Permalink to &quot;102. Releases are checked by replaying live histories instead of Worker Versioning&quot;">​</a></h1><h2 id="status" tabindex="-1">Status <a class="header-anchor" href="#status" aria-label="Permalink to &quot;Status&quot;">​</a></h2><p>Accepted.</p><h2 id="context" tabindex="-1">Context <a class="header-anchor" href="#context" aria-label="Permalink to &quot;Context&quot;">​</a></h2><p>An execution continues with the next release. If its workflow issues other commands than its history, it stops silently, and an import keeps its lock.</p><h2 id="decision" tabindex="-1">Decision <a class="header-anchor" href="#decision" aria-label="Permalink to &quot;Decision&quot;">​</a></h2><ul><li><code>npm run replay:live</code> replays open executions (500 of each type) and those of the last day (50) with the new workflows. An unknown type fails. <code>test/replay</code> replays a history of every branch; histories of 0.1.0 are never recorded again.</li><li>A new field in an activity&#39;s result decides whether a command that follows it is issued. <code>patched()</code> is for all other changes.</li><li>Long executions continue as new with their input only. Imports end after <code>SYNC_RUN_LIMIT</code>.</li><li><code>defineWorkflow</code> in <code>modules/*/messages</code> declares type, id, queue, input and result. Only <code>startWorkflow</code> and <code>startOrSignal</code> start or signal.</li><li><code>workflows/support/activity-summaries.ts</code> describes every activity, with ids and never names.</li><li><code>npm run temporal:prepare</code> creates namespace, retention (<code>TEMPORAL_RETENTION</code>, 14 days) and search attributes. A retention is only raised. TLS settings use Temporal&#39;s names.</li><li>Signals <code>dismissed</code> and <code>snoozed</code> with <code>{&quot;by&quot;, &quot;note&quot;}</code> run the API&#39;s use cases; the audit actor is prefixed with <code>Temporal:</code>.</li></ul><h2 id="consequences" tabindex="-1">Consequences <a class="header-anchor" href="#consequences" aria-label="Permalink to &quot;Consequences&quot;">​</a></h2><ul><li>Rights in Temporal&#39;s UI decide who can resolve incidents there.</li></ul><h2 id="rejected-options" tabindex="-1">Rejected options <a class="header-anchor" href="#rejected-options" aria-label="Permalink to &quot;Rejected options&quot;">​</a></h2><ul><li>Worker Versioning: both releases must run as long as the longest execution.</li><li>Preparing in the worker: workers would race and need administrator rights.</li></ul></div>`,
  );
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add(
    'docs/decisions/0102-releases-and-replay.md',
  );
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0102ReleasesAndReplay = /* @__PURE__ */ _export_sfc(_sfc_main, [['ssrRender', _sfc_ssrRender]]);
export { __pageData, _0102ReleasesAndReplay as default };
