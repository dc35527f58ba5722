import { ssrRenderAttrs } from 'vue/server-renderer';
import { useSSRContext } from 'vue';
import { _ as _export_sfc } from './plugin-vue_export-helper.1tPrXgE0.js';
const __pageData = JSON.parse(
  '{"title":"Rules","description":"","frontmatter":{},"headers":[],"relativePath":"rules/index.md","filePath":"docs/rules/README.md"}',
);
const _sfc_main = { name: 'rules/index.md' };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(
    `<div${ssrRenderAttrs(_attrs)}><h1 id="rules" tabindex="-1">Rules <a class="header-anchor" href="#rules" aria-label="Permalink to &quot;Rules&quot;">​</a></h1><p>Promises of the product, each one sentence with an id. Superscript numbers link to its tests.</p><ul><li><a href="/docs/rules/access">ACC</a>: sign-in, users, roles, API keys, audit</li><li><a href="/docs/rules/binding">BND</a>: variants, their ERP dishes, incidents, triage</li><li><a href="/docs/rules/catalog">CAT</a>: products, categories, slugs, reference data</li><li><a href="/docs/rules/clients">CLI</a>: customer tokens and personal data</li><li><a href="/docs/rules/gifts">CMP</a>: gifts promised to clients</li><li><a href="/docs/rules/connections">CON</a>: legal entities and ERP accounts</li><li><a href="/docs/rules/erp">ERP</a>: calls to the ERP</li><li><a href="/docs/rules/events">EVT</a>: public events and webhooks to integrations</li><li><a href="/docs/rules/delivery">FUL</a>: hours, status, slots, zones, addresses, busy mode</li><li><a href="/docs/rules/http">HTTP</a>: conventions, errors, limits, API description, client library</li><li><a href="/docs/rules/media">MED</a>: uploads and images</li><li><a href="/docs/rules/mirror">MIR</a>: imports from the ERP</li><li><a href="/docs/rules/notifications">NOT</a>: messages to administrators</li><li><a href="/docs/rules/operation">OPS</a>: crashes, monitoring, installation, restoration</li><li><a href="/docs/rules/ordering">ORD</a>: carts, checkout, orders</li><li><a href="/docs/rules/menus">SNP</a>: the public menu</li><li><a href="/docs/rules/storefront">STO</a>: public reads and search</li><li><a href="/docs/rules/webhooks">WHK</a>: webhooks of the ERP</li><li><a href="/docs/rules/wire">WIRE</a>: the ERP&#39;s data format</li></ul><h2 id="adding-a-rule" tabindex="-1">Adding a rule <a class="header-anchor" href="#adding-a-rule" aria-label="Permalink to &quot;Adding a rule&quot;">​</a></h2><ol><li>Take the next free number of the page; numbers of deleted rules are not reused.</li><li>Write one sentence of at most 45 words that a product manager understands.</li><li>Start the title of a test that fails without the rule with its id, as in <code>[MIR-7] …</code> or <code>[MIR-7, BND-2] …</code>; an id in the title of a <code>describe</code> covers all its tests.</li><li>Link the test with <code>npm run carte -- generate rules</code>.</li></ol><p>Comments cite a rule by its id (<code>rule MIR-7</code>). <code>test/contract/project/rules.test.ts</code> verifies ids, tests, titles, citations and length; the static checks verify the links. <a href="/docs/decisions/">Decision records</a> have the reasons.</p></div>`,
  );
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add('docs/rules/README.md');
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const README = /* @__PURE__ */ _export_sfc(_sfc_main, [['ssrRender', _sfc_ssrRender]]);
export { __pageData, README as default };
