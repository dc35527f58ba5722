import { ssrRenderAttrs } from 'vue/server-renderer';
import { useSSRContext } from 'vue';
import { _ as _export_sfc } from './plugin-vue_export-helper.1tPrXgE0.js';
const __pageData = JSON.parse(
  '{"title":"catalog","description":"","frontmatter":{},"headers":[],"relativePath":"modules/catalog/index.md","filePath":"modules/catalog/README.md"}',
);
const _sfc_main = { name: 'modules/catalog/index.md' };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(
    `<div${ssrRenderAttrs(_attrs)}><h1 id="catalog" tabindex="-1">catalog <a class="header-anchor" href="#catalog" aria-label="Permalink to &quot;catalog&quot;">​</a></h1><p>The storefront catalog that staff build: products, variants, categories, badges, axes and modifier profiles.</p><ul><li>Tables: <code>catalog_badge</code>, <code>catalog_category</code>, <code>catalog_category_slug</code>, <code>catalog_item_binding</code>, <code>catalog_item_triage</code>, <code>catalog_modifier_group_profile</code>, <code>catalog_modifier_profile</code>, <code>catalog_product</code>, <code>catalog_product_badge</code>, <code>catalog_product_category</code>, <code>catalog_product_image</code>, <code>catalog_product_slug</code>, <code>catalog_product_visibility</code>, <code>catalog_variant</code>, <code>catalog_variant_axis</code>, <code>catalog_variant_option</code></li><li>Emits: <code>CatalogChanged</code></li><li>Handles: <code>CatalogChanged</code></li><li>Rules: <a href="/docs/rules/catalog">docs/rules/catalog.md</a></li><li>Start with <code>edit-product.ts</code> for a command, <code>list-products.ts</code> for a query, <code>rules/publish-rules.ts</code> for publishing.</li></ul></div>`,
  );
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add('modules/catalog/README.md');
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const README = /* @__PURE__ */ _export_sfc(_sfc_main, [['ssrRender', _sfc_ssrRender]]);
export { __pageData, README as default };
