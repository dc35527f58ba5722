import { ssrRenderAttrs } from 'vue/server-renderer';
import { useSSRContext } from 'vue';
import { _ as _export_sfc } from './plugin-vue_export-helper.1tPrXgE0.js';
const __pageData = JSON.parse(
  '{"title":"106. Processes use a restricted database role, and the audit is sealed","description":"","frontmatter":{},"headers":[],"relativePath":"decisions/0106-database-roles-and-audit.md","filePath":"docs/decisions/0106-database-roles-and-audit.md"}',
);
const _sfc_main = { name: 'decisions/0106-database-roles-and-audit.md' };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(
    `<div${ssrRenderAttrs(_attrs)}><h1 id="106-processes-use-a-restricted-database-role-and-the-audit-is-sealed" tabindex="-1">106. Processes use a restricted database role, and the audit is sealed <a class="header-anchor" href="#106-processes-use-a-restricted-database-role-and-the-audit-is-sealed" aria-label="Permalink to &quot;106. Processes use a restricted database role, and the audit is sealed&quot;">​</a></h1><h2 id="status" tabindex="-1">Status <a class="header-anchor" href="#status" aria-label="Permalink to &quot;Status&quot;">​</a></h2><p>Accepted.</p><h2 id="context" tabindex="-1">Context <a class="header-anchor" href="#context" aria-label="Permalink to &quot;Context&quot;">​</a></h2><p>Every process connected as the superuser and could disable the triggers that protect the audit. <code>sslmode</code> in <code>DATABASE_URL</code> was ignored. Production accepted one-character secrets and plain HTTP.</p><h2 id="decision" tabindex="-1">Decision <a class="header-anchor" href="#decision" aria-label="Permalink to &quot;Decision&quot;">​</a></h2><ul><li>One role owns the schema (<code>MIGRATION_DATABASE_URL</code>, <code>npm run migrate</code>); processes use another (<code>DATABASE_URL</code>), which cannot create, alter, truncate or skip triggers, and only inserts into <code>audit_entry</code> and <code>compensation_move</code>. <code>platform/db/rights.ts</code> is the list.</li><li><code>npm run migrate</code> applies only missing or excess rights. <code>ops/postgres/roles.sql</code> creates the role.</li><li><code>audit_seal</code> chains digests over audit entries, every minute. The end of the chain is logged, so that logs elsewhere reveal a rewritten chain.</li><li>A seal names its list of columns, so later columns keep old seals valid. An entry older than an hour is not sealed and raises an alert.</li><li><code>sslmode</code>, <code>sslrootcert</code>, <code>sslcert</code> and <code>sslkey</code> follow PostgreSQL&#39;s manual. <code>allow</code>, <code>prefer</code> and unknown parameters stop the start.</li><li>In production, weak passwords, webhook secrets under 24 characters, any origin for staff, and plain HTTP to hosts with a dot stop the start. <code>NODE_ENV</code> defaults to production.</li></ul><h2 id="consequences" tabindex="-1">Consequences <a class="header-anchor" href="#consequences" aria-label="Permalink to &quot;Consequences&quot;">​</a></h2><ul><li>A process with an owner role works and warns.</li></ul><h2 id="rejected-options" tabindex="-1">Rejected options <a class="header-anchor" href="#rejected-options" aria-label="Permalink to &quot;Rejected options&quot;">​</a></h2><ul><li>Sealing in each command: all changes would be serialized. A keyed digest: its key is on the same hosts. A timestamp service: it needs the internet.</li></ul></div>`,
  );
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add(
    'docs/decisions/0106-database-roles-and-audit.md',
  );
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0106DatabaseRolesAndAudit = /* @__PURE__ */ _export_sfc(_sfc_main, [['ssrRender', _sfc_ssrRender]]);
export { __pageData, _0106DatabaseRolesAndAudit as default };
