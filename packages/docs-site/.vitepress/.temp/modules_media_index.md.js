import { ssrRenderAttrs } from 'vue/server-renderer';
import { useSSRContext } from 'vue';
import { _ as _export_sfc } from './plugin-vue_export-helper.1tPrXgE0.js';
const __pageData = JSON.parse(
  '{"title":"media","description":"","frontmatter":{},"headers":[],"relativePath":"modules/media/index.md","filePath":"modules/media/README.md"}',
);
const _sfc_main = { name: 'modules/media/index.md' };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(
    `<div${ssrRenderAttrs(_attrs)}><h1 id="media" tabindex="-1">media <a class="header-anchor" href="#media" aria-label="Permalink to &quot;media&quot;">​</a></h1><p>Uploaded images, their renditions, and the removal of files that nothing shows.</p><ul><li>Tables: <code>media</code>, <code>media_base</code>, <code>media_claim</code>, <code>media_retired</code></li><li>Emits: <code>CatalogChanged</code></li><li>Handles: none</li><li>Rules: <a href="/docs/rules/media">docs/rules/media.md</a></li><li>Start with <code>upload-media.ts</code>; <code>rules/rendition-plan.ts</code> names the renditions.</li></ul></div>`,
  );
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add('modules/media/README.md');
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const README = /* @__PURE__ */ _export_sfc(_sfc_main, [['ssrRender', _sfc_ssrRender]]);
export { __pageData, README as default };
