import { ssrRenderAttrs } from 'vue/server-renderer';
import { useSSRContext } from 'vue';
import { _ as _export_sfc } from './plugin-vue_export-helper.1tPrXgE0.js';
const __pageData = JSON.parse(
  '{"title":"Webhooks of the ERP","description":"","frontmatter":{},"headers":[],"relativePath":"rules/webhooks.md","filePath":"docs/rules/webhooks.md"}',
);
const _sfc_main = { name: 'rules/webhooks.md' };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(
    `<div${ssrRenderAttrs(_attrs)}><h1 id="webhooks-of-the-erp" tabindex="-1">Webhooks of the ERP <a class="header-anchor" href="#webhooks-of-the-erp" aria-label="Permalink to &quot;Webhooks of the ERP&quot;">​</a></h1><ul><li><strong>WHK-1.</strong> Only callers with the secret, in header or query, are accepted, with at most two valid secrets during a replacement.¹²</li><li><strong>WHK-9.</strong> A connection may have two secrets of its own, shown once and stored as digests, valid exclusively for its restaurants.¹</li><li><strong>WHK-2.</strong> An event is stored in one transaction before the answer, without waiting for Temporal or the ERP.¹</li><li><strong>WHK-3.</strong> An event is stored once by id, type and organization, even if two processes receive it.¹</li><li><strong>WHK-4.</strong> Stop-list and order changes are processed, and other types are only counted.¹</li><li><strong>WHK-5.</strong> Calls that are not an array, too large or too frequent are rejected and store nothing.¹</li><li><strong>WHK-6.</strong> A webhook only triggers imports earlier, so lost, repeated or reordered events still lead to the ERP&#39;s state.¹</li><li><strong>WHK-7.</strong> An event that arrives after an import received its answer causes another request.¹²</li><li><strong>WHK-8.</strong> Only ids, words and times of order events are kept, and our order is read from the ERP, whatever was repeated or reordered.¹²</li></ul></div>`,
  );
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add('docs/rules/webhooks.md');
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const webhooks = /* @__PURE__ */ _export_sfc(_sfc_main, [['ssrRender', _sfc_ssrRender]]);
export { __pageData, webhooks as default };
