import { ssrRenderAttrs } from 'vue/server-renderer';
import { useSSRContext } from 'vue';
import { _ as _export_sfc } from './plugin-vue_export-helper.1tPrXgE0.js';
const __pageData = JSON.parse(
  '{"title":"31. Tables are declared once, and migrations are hand-written SQL","description":"","frontmatter":{},"headers":[],"relativePath":"decisions/0031-one-typed-database.md","filePath":"docs/decisions/0031-one-typed-database.md"}',
);
const _sfc_main = { name: 'decisions/0031-one-typed-database.md' };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(
    `<div${ssrRenderAttrs(_attrs)}><h1 id="31-tables-are-declared-once-and-migrations-are-hand-written-sql" tabindex="-1">31. Tables are declared once, and migrations are hand-written SQL <a class="header-anchor" href="#31-tables-are-declared-once-and-migrations-are-hand-written-sql" aria-label="Permalink to &quot;31. Tables are declared once, and migrations are hand-written SQL&quot;">​</a></h1><h2 id="status" tabindex="-1">Status <a class="header-anchor" href="#status" aria-label="Permalink to &quot;Status&quot;">​</a></h2><p>Accepted.</p><h2 id="context" tabindex="-1">Context <a class="header-anchor" href="#context" aria-label="Permalink to &quot;Context&quot;">​</a></h2><p>Imports and queues are set-based; staff edits need versions and types. In text statements, a renamed column failed only in production.</p><h2 id="decision" tabindex="-1">Decision <a class="header-anchor" href="#decision" aria-label="Permalink to &quot;Decision&quot;">​</a></h2><ul><li><code>defineEntity</code> in <code>modules/&lt;module&gt;/tables/</code> declares each table; a test compares it with the migrated schema.</li><li>Migrations are SQL, so constraints, indexes and triggers have chosen names. A test migrates down and up and compares with <code>migrations/schema.snapshot.json</code>.</li><li>Release 0.1.0 is one base migration in <code>migrations/base/</code>. Every later change is its own migration.</li><li>One <code>Tx</code> has <code>tx.db</code> (Kysely) and <code>tx.em</code> (MikroORM) on one connection. The ORM edits single aggregates in <code>kernel/edits.ts</code>; Kysely does the rest.</li><li>Row types derive from the tables (<code>platform/db/row.ts</code>).</li><li>Text statements are limited to COPY, LISTEN and the merges of the menu import.</li></ul><h2 id="consequences" tabindex="-1">Consequences <a class="header-anchor" href="#consequences" aria-label="Permalink to &quot;Consequences&quot;">​</a></h2><ul><li>A JSON column needs <code>json(value)</code>, because the driver turns lists into arrays.</li></ul><h2 id="rejected-options" tabindex="-1">Rejected options <a class="header-anchor" href="#rejected-options" aria-label="Permalink to &quot;Rejected options&quot;">​</a></h2><ul><li><code>em.getKysely({ columnNamingStrategy: &#39;property&#39; })</code>: rows of <code>sql</code> statements stay in snake_case.</li><li>Generated row types: a second declaration of every table.</li><li>A schema generated from entities: names and partial indexes would not be ours.</li></ul></div>`,
  );
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add(
    'docs/decisions/0031-one-typed-database.md',
  );
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0031OneTypedDatabase = /* @__PURE__ */ _export_sfc(_sfc_main, [['ssrRender', _sfc_ssrRender]]);
export { __pageData, _0031OneTypedDatabase as default };
