import { ssrRenderAttrs } from 'vue/server-renderer';
import { useSSRContext } from 'vue';
import { _ as _export_sfc } from './plugin-vue_export-helper.1tPrXgE0.js';
const __pageData = JSON.parse(
  '{"title":"125. Menu builds have their own queue and process","description":"","frontmatter":{},"headers":[],"relativePath":"decisions/0125-menu-builds.md","filePath":"docs/decisions/0125-menu-builds.md"}',
);
const _sfc_main = { name: 'decisions/0125-menu-builds.md' };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(
    `<div${ssrRenderAttrs(_attrs)}><h1 id="125-menu-builds-have-their-own-queue-and-process" tabindex="-1">125. Menu builds have their own queue and process <a class="header-anchor" href="#125-menu-builds-have-their-own-queue-and-process" aria-label="Permalink to &quot;125. Menu builds have their own queue and process&quot;">​</a></h1><h2 id="status" tabindex="-1">Status <a class="header-anchor" href="#status" aria-label="Permalink to &quot;Status&quot;">​</a></h2><p>Accepted.</p><h2 id="context" tabindex="-1">Context <a class="header-anchor" href="#context" aria-label="Permalink to &quot;Context&quot;">​</a></h2><p>An edit of the whole catalog queues a build per organization. Builds shared workers with stop-list imports and orders: in a chain of 300 restaurants the first stop-lists took up to 22 s. An invalid menu was retried about thirty times in five minutes.</p><h2 id="decision" tabindex="-1">Decision <a class="header-anchor" href="#decision" aria-label="Permalink to &quot;Decision&quot;">​</a></h2><ul><li>Builds run on the queue <code>carte-build</code> in workers with the role <code>build</code>, two at a time, with lower process priority. <code>sync</code> builds nothing; <code>all</code> does everything.</li><li>The process that commits a stop-list change patches the menu itself.</li><li>A rebuild is requested once per reason (<code>asked_seq</code>). A failed request resets it, twenty menus at a time.</li><li>Failures with a database or socket code are retried. Others rest until a newer reason or for one hour.</li></ul><h2 id="consequences" tabindex="-1">Consequences <a class="header-anchor" href="#consequences" aria-label="Permalink to &quot;Consequences&quot;">​</a></h2><ul><li>A chain needs a worker with the role <code>build</code>; an alert names a queue without pollers.</li><li>With 60 restaurants on two slow cores, a stop-list change during builds takes 579 ms at the median instead of 975 ms.</li></ul><h2 id="rejected-options" tabindex="-1">Rejected options <a class="header-anchor" href="#rejected-options" aria-label="Permalink to &quot;Rejected options&quot;">​</a></h2><ul><li>One build at a time in <code>sync</code>: 663 ms, and slower on larger hosts.</li><li>Pausing builds while stop-lists wait: it can starve builds.</li></ul></div>`,
  );
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add('docs/decisions/0125-menu-builds.md');
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0125MenuBuilds = /* @__PURE__ */ _export_sfc(_sfc_main, [['ssrRender', _sfc_ssrRender]]);
export { __pageData, _0125MenuBuilds as default };
