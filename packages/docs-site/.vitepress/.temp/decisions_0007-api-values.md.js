import { ssrRenderAttrs } from 'vue/server-renderer';
import { useSSRContext } from 'vue';
import { _ as _export_sfc } from './plugin-vue_export-helper.1tPrXgE0.js';
const __pageData = JSON.parse(
  '{"title":"7. The APIs share one set of value formats, defaults and identifiers","description":"","frontmatter":{},"headers":[],"relativePath":"decisions/0007-api-values.md","filePath":"docs/decisions/0007-api-values.md"}',
);
const _sfc_main = { name: 'decisions/0007-api-values.md' };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(
    `<div${ssrRenderAttrs(_attrs)}><h1 id="7-the-apis-share-one-set-of-value-formats-defaults-and-identifiers" tabindex="-1">7. The APIs share one set of value formats, defaults and identifiers <a class="header-anchor" href="#7-the-apis-share-one-set-of-value-formats-defaults-and-identifiers" aria-label="Permalink to &quot;7. The APIs share one set of value formats, defaults and identifiers&quot;">​</a></h1><h2 id="status" tabindex="-1">Status <a class="header-anchor" href="#status" aria-label="Permalink to &quot;Status&quot;">​</a></h2><p>Accepted.</p><h2 id="context" tabindex="-1">Context <a class="header-anchor" href="#context" aria-label="Permalink to &quot;Context&quot;">​</a></h2><p>Several points of the HTTP interface were undefined, and one API rejected organization ids that the other accepted.</p><h2 id="decision" tabindex="-1">Decision <a class="header-anchor" href="#decision" aria-label="Permalink to &quot;Decision&quot;">​</a></h2><ul><li>Money is integer kopecks inside and a JSON number with two decimals in answers.</li><li><code>GET /menu</code> without <code>organization_id</code> works if exactly one organization is active; otherwise 422 <code>required</code>.</li><li>The admin API accepts an organization as number or ERP UUID (<code>OrganizationId</code> in <code>kernel/pure/schemas.ts</code>) and returns the number. A UUID means the organization that guests see, else the one mirrored last.</li><li>Absent values are absent fields. A variant never priced in an organization is not in its menu; a lost price stays with <code>available: false</code>.</li><li>A stop in one terminal group stops the item for the organization unless <code>stoplist_terminals</code> is ALL. A positive balance can be sold.</li><li><code>DELETE /users/{id}</code> erases personal values and keeps the row for the audit. Changes to users and roles are serialized, so that one administrator remains.</li></ul><h2 id="consequences" tabindex="-1">Consequences <a class="header-anchor" href="#consequences" aria-label="Permalink to &quot;Consequences&quot;">​</a></h2><ul><li>Permissions of ADMIN are fixed. Any holder of <code>users.manage</code> is an administrator.</li></ul><h2 id="rejected-options" tabindex="-1">Rejected options <a class="header-anchor" href="#rejected-options" aria-label="Permalink to &quot;Rejected options&quot;">​</a></h2><ul><li>UUIDs in admin answers: one field would have two types.</li></ul></div>`,
  );
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add('docs/decisions/0007-api-values.md');
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0007ApiValues = /* @__PURE__ */ _export_sfc(_sfc_main, [['ssrRender', _sfc_ssrRender]]);
export { __pageData, _0007ApiValues as default };
