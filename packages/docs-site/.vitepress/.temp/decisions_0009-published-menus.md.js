import { ssrRenderAttrs } from 'vue/server-renderer';
import { useSSRContext } from 'vue';
import { _ as _export_sfc } from './plugin-vue_export-helper.1tPrXgE0.js';
const __pageData = JSON.parse(
  '{"title":"9. Published menus are immutable revisions served from memory","description":"","frontmatter":{},"headers":[],"relativePath":"decisions/0009-published-menus.md","filePath":"docs/decisions/0009-published-menus.md"}',
);
const _sfc_main = { name: 'decisions/0009-published-menus.md' };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(
    `<div${ssrRenderAttrs(_attrs)}><h1 id="9-published-menus-are-immutable-revisions-served-from-memory" tabindex="-1">9. Published menus are immutable revisions served from memory <a class="header-anchor" href="#9-published-menus-are-immutable-revisions-served-from-memory" aria-label="Permalink to &quot;9. Published menus are immutable revisions served from memory&quot;">​</a></h1><h2 id="status" tabindex="-1">Status <a class="header-anchor" href="#status" aria-label="Permalink to &quot;Status&quot;">​</a></h2><p>Accepted.</p><h2 id="context" tabindex="-1">Context <a class="header-anchor" href="#context" aria-label="Permalink to &quot;Context&quot;">​</a></h2><p>A menu is read thousands of times per change. Stops must appear within seconds, a half-applied import must never be visible, a bad edit must be reversible, and a menu may not exceed 1 MB.</p><h2 id="decision" tabindex="-1">Decision <a class="header-anchor" href="#decision" aria-label="Permalink to &quot;Decision&quot;">​</a></h2><ul><li>The content hash excludes revision, time and stops. Equal content publishes nothing; other stops are a patch: a new ETag under the same revision.</li><li>Publication and patch take the organization&#39;s advisory lock, then the row lock. A build with an older <code>dirty_seq</code> is dropped.</li><li>A patch replaces the values after each <code>&quot;available&quot;:</code> in the stored text.</li><li>A price comes from a menu that does not hide it: a live price first, then a menu that is still sold, then <code>priority</code>, then the id.</li><li>Each revision stores its answer and storefront content. A pin is a row with a reason and an end within a year; builds use the pinned content with current prices and stops.</li><li>A menu over the limit drops <code>nutritionPer100g</code>, then <code>composition</code>, then <code>description</code>, for all products. Product cards keep everything.</li></ul><h2 id="consequences" tabindex="-1">Consequences <a class="header-anchor" href="#consequences" aria-label="Permalink to &quot;Consequences&quot;">​</a></h2><ul><li>About 2,150 variants fit. A larger menu is not published; SNAPSHOT_TOO_LARGE lists the bytes by part.</li></ul><h2 id="rejected-options" tabindex="-1">Rejected options <a class="header-anchor" href="#rejected-options" aria-label="Permalink to &quot;Rejected options&quot;">​</a></h2><ul><li>Dropping fields of single products: guests would see them on some dishes only.</li></ul></div>`,
  );
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add(
    'docs/decisions/0009-published-menus.md',
  );
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0009PublishedMenus = /* @__PURE__ */ _export_sfc(_sfc_main, [['ssrRender', _sfc_ssrRender]]);
export { __pageData, _0009PublishedMenus as default };
