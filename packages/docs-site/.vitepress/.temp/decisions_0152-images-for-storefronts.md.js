import { ssrRenderAttrs } from 'vue/server-renderer';
import { useSSRContext } from 'vue';
import { _ as _export_sfc } from './plugin-vue_export-helper.1tPrXgE0.js';
const __pageData = JSON.parse(
  '{"title":"152. Image URLs have a stored base, and references omit what clients can compute","description":"","frontmatter":{},"headers":[],"relativePath":"decisions/0152-images-for-storefronts.md","filePath":"docs/decisions/0152-images-for-storefronts.md"}',
);
const _sfc_main = { name: 'decisions/0152-images-for-storefronts.md' };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(
    `<div${ssrRenderAttrs(_attrs)}><h1 id="152-image-urls-have-a-stored-base-and-references-omit-what-clients-can-compute" tabindex="-1">152. Image URLs have a stored base, and references omit what clients can compute <a class="header-anchor" href="#152-image-urls-have-a-stored-base-and-references-omit-what-clients-can-compute" aria-label="Permalink to &quot;152. Image URLs have a stored base, and references omit what clients can compute&quot;">​</a></h1><h2 id="status" tabindex="-1">Status <a class="header-anchor" href="#status" aria-label="Permalink to &quot;Status&quot;">​</a></h2><p>Accepted.</p><h2 id="context" tabindex="-1">Context <a class="header-anchor" href="#context" aria-label="Permalink to &quot;Context&quot;">​</a></h2><p>Pages of another origin need absolute image URLs, and a CDN has its own. Menus are stored compressed, so URLs are written at build time. A page needs an image&#39;s size before loading it, and AVIF saves a quarter of the bytes of webp.</p><h2 id="decision" tabindex="-1">Decision <a class="header-anchor" href="#decision" aria-label="Permalink to &quot;Decision&quot;">​</a></h2><ul><li>Workers record <code>PUBLIC_MEDIA_URL</code> in <code>media_base</code>. A change marks every menu in the same transaction. Readers get the base with the image, so all processes agree. <code>reference_version</code> marks every menu after a release that adds fields.</li><li>A reference has <code>width</code> and <code>height</code> of its first file. The client computes <code>w</code> descriptors for <code>srcset</code>. <code>avif: true</code> takes 12 bytes instead of 110. <code>alt</code> is absent unless staff set it.</li><li>AVIF files are made at upload and for a new focal point, with quality 55 and effort 1: 0.3 s for a card of 800 pixels and 77 % of the bytes of webp.</li></ul><h2 id="consequences" tabindex="-1">Consequences <a class="header-anchor" href="#consequences" aria-label="Permalink to &quot;Consequences&quot;">​</a></h2><ul><li>Sizes and <code>avif</code> of 1,000 images take 37 KB. A menu above 1 MB omits them first (decision 38).</li></ul><h2 id="rejected-options" tabindex="-1">Rejected options <a class="header-anchor" href="#rejected-options" aria-label="Permalink to &quot;Rejected options&quot;">​</a></h2><ul><li>Encoding the library in the background: it would compete with guests for the processor.</li><li>AVIF with effort 4: 3.6 s for 68 % of the bytes.</li></ul></div>`,
  );
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add(
    'docs/decisions/0152-images-for-storefronts.md',
  );
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0152ImagesForStorefronts = /* @__PURE__ */ _export_sfc(_sfc_main, [['ssrRender', _sfc_ssrRender]]);
export { __pageData, _0152ImagesForStorefronts as default };
