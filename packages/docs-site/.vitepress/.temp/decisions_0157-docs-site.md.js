import { ssrRenderAttrs } from 'vue/server-renderer';
import { useSSRContext } from 'vue';
import { _ as _export_sfc } from './plugin-vue_export-helper.1tPrXgE0.js';
const __pageData = JSON.parse(
  '{"title":"157. The documentation is a VitePress site over the files of the repository","description":"","frontmatter":{},"headers":[],"relativePath":"decisions/0157-docs-site.md","filePath":"docs/decisions/0157-docs-site.md"}',
);
const _sfc_main = { name: 'decisions/0157-docs-site.md' };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(
    `<div${ssrRenderAttrs(_attrs)}><h1 id="157-the-documentation-is-a-vitepress-site-over-the-files-of-the-repository" tabindex="-1">157. The documentation is a VitePress site over the files of the repository <a class="header-anchor" href="#157-the-documentation-is-a-vitepress-site-over-the-files-of-the-repository" aria-label="Permalink to &quot;157. The documentation is a VitePress site over the files of the repository&quot;">​</a></h1><h2 id="status" tabindex="-1">Status <a class="header-anchor" href="#status" aria-label="Permalink to &quot;Status&quot;">​</a></h2><p>Accepted.</p><h2 id="context" tabindex="-1">Context <a class="header-anchor" href="#context" aria-label="Permalink to &quot;Context&quot;">​</a></h2><p>The documents were readable on a Git host only. They had no search, and a link to a renamed heading was not noticed.</p><h2 id="decision" tabindex="-1">Decision <a class="header-anchor" href="#decision" aria-label="Permalink to &quot;Decision&quot;">​</a></h2><ul><li>The workspace <code>packages/docs-site</code> builds the Markdown files where they are, with VitePress. The sidebar follows from the folders.</li><li><code>npm start</code> builds the site if a document has changed, and the API serves it at <code>/docs</code> if <code>DOCS_SITE</code> is on. The API reference has <code>/docs/public</code>, <code>/docs/admin</code> and <code>/docs/webhooks</code>.</li><li>Ids of headings are those of Git hosts, so a link works in both places. Our own check of the built pages covers headings and images, because VitePress checks pages only.</li><li>Links to source files become text: the site has no copy of them.</li><li><code>overrides</code> replaces the search service and the icons of VitePress, which the site does not use, with an empty package: 23 packages and 33 MB less.</li></ul><h2 id="consequences" tabindex="-1">Consequences <a class="header-anchor" href="#consequences" aria-label="Permalink to &quot;Consequences&quot;">​</a></h2><ul><li>The lock file has 138 entries more, 87 packages and 60 MB of them on one platform. Images of containers have no site.</li><li>Diagrams in Mermaid are shown as text.</li></ul><h2 id="rejected-options" tabindex="-1">Rejected options <a class="header-anchor" href="#rejected-options" aria-label="Permalink to &quot;Rejected options&quot;">​</a></h2><ul><li>Starlight: several times as many packages.</li><li>A generator of our own: search, navigation and themes would be ours to maintain.</li></ul></div>`,
  );
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add('docs/decisions/0157-docs-site.md');
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0157DocsSite = /* @__PURE__ */ _export_sfc(_sfc_main, [['ssrRender', _sfc_ssrRender]]);
export { __pageData, _0157DocsSite as default };
