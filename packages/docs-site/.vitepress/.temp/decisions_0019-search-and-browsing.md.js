import { ssrRenderAttrs } from 'vue/server-renderer';
import { useSSRContext } from 'vue';
import { _ as _export_sfc } from './plugin-vue_export-helper.1tPrXgE0.js';
const __pageData = JSON.parse(
  '{"title":"19. Search, lists and facets are computed from the published menu","description":"","frontmatter":{},"headers":[],"relativePath":"decisions/0019-search-and-browsing.md","filePath":"docs/decisions/0019-search-and-browsing.md"}',
);
const _sfc_main = { name: 'decisions/0019-search-and-browsing.md' };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(
    `<div${ssrRenderAttrs(_attrs)}><h1 id="19-search-lists-and-facets-are-computed-from-the-published-menu" tabindex="-1">19. Search, lists and facets are computed from the published menu <a class="header-anchor" href="#19-search-lists-and-facets-are-computed-from-the-published-menu" aria-label="Permalink to &quot;19. Search, lists and facets are computed from the published menu&quot;">​</a></h1><h2 id="status" tabindex="-1">Status <a class="header-anchor" href="#status" aria-label="Permalink to &quot;Status&quot;">​</a></h2><p>Accepted.</p><h2 id="context" tabindex="-1">Context <a class="header-anchor" href="#context" aria-label="Permalink to &quot;Context&quot;">​</a></h2><p>Search, lists, filters and markup must agree with the published menu. Guests mistype, use the wrong keyboard layout and inflect Russian words.</p><h2 id="decision" tabindex="-1">Decision <a class="header-anchor" href="#decision" aria-label="Permalink to &quot;Decision&quot;">​</a></h2><ul><li><code>/categories</code>, <code>/products</code> and <code>/search</code> read the published buffers, parsed once per publication.</li><li>Search uses MiniSearch with the stemmers of <code>@orama/stemmers</code>. A word matches as typed, by stem, or in the other keyboard layout (weight 0.6). Words of 4 to 6 letters allow one error, longer ones two. All words must match; otherwise any word.</li><li>The index depends on texts only and is built in steps of 200 products, below 50 ms of pause. A process keeps at most 50.</li><li>Facets come from catalog tables, with counts of the menu or category, and ignore active filters.</li></ul><h2 id="consequences" tabindex="-1">Consequences <a class="header-anchor" href="#consequences" aria-label="Permalink to &quot;Consequences&quot;">​</a></h2><ul><li>The 189 queries in <code>test/support/search/gold.ts</code> reach 98% first place and 99% in the first five.</li></ul><h2 id="rejected-options" tabindex="-1">Rejected options <a class="header-anchor" href="#rejected-options" aria-label="Permalink to &quot;Rejected options&quot;">​</a></h2><ul><li>PostgreSQL full-text search: no typing errors without extensions, and other data than the menu.</li><li>Allergens as facets: the ERP states them for some dishes only.</li><li>Facets in the published menu: renaming a badge would rebuild every menu.</li></ul></div>`,
  );
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add(
    'docs/decisions/0019-search-and-browsing.md',
  );
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0019SearchAndBrowsing = /* @__PURE__ */ _export_sfc(_sfc_main, [['ssrRender', _sfc_ssrRender]]);
export { __pageData, _0019SearchAndBrowsing as default };
