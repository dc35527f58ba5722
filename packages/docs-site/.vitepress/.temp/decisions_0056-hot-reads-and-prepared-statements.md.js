import { ssrRenderAttrs } from 'vue/server-renderer';
import { useSSRContext } from 'vue';
import { _ as _export_sfc } from './plugin-vue_export-helper.1tPrXgE0.js';
const __pageData = JSON.parse(
  '{"title":"56. Hot reads bypass Koa, and cart and order statements are prepared","description":"","frontmatter":{},"headers":[],"relativePath":"decisions/0056-hot-reads-and-prepared-statements.md","filePath":"docs/decisions/0056-hot-reads-and-prepared-statements.md"}',
);
const _sfc_main = { name: 'decisions/0056-hot-reads-and-prepared-statements.md' };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(
    `<div${ssrRenderAttrs(_attrs)}><h1 id="56-hot-reads-bypass-koa-and-cart-and-order-statements-are-prepared" tabindex="-1">56. Hot reads bypass Koa, and cart and order statements are prepared <a class="header-anchor" href="#56-hot-reads-bypass-koa-and-cart-and-order-statements-are-prepared" aria-label="Permalink to &quot;56. Hot reads bypass Koa, and cart and order statements are prepared&quot;">​</a></h1><h2 id="status" tabindex="-1">Status <a class="header-anchor" href="#status" aria-label="Permalink to &quot;Status&quot;">​</a></h2><p>Accepted.</p><h2 id="context" tabindex="-1">Context <a class="header-anchor" href="#context" aria-label="Permalink to &quot;Context&quot;">​</a></h2><p><code>POST /cart</code> and preflight ran 23 and 31 statements and took 20 ms on an idle machine; three quarters of PostgreSQL&#39;s time was planning. Menus and availability are read far more often than anything else.</p><h2 id="decision" tabindex="-1">Decision <a class="header-anchor" href="#decision" aria-label="Permalink to &quot;Decision&quot;">​</a></h2><ul><li><code>node:http</code> answers hot reads from ready buffers, before Koa, in the API process.</li><li><code>api/main.ts</code> sets a young generation of 16 to 32 MB. One check per second replaces <code>server.timeout</code> (HTTP-21).</li><li><code>db.prepared</code> plans builder statements once per connection, at most 300 texts. Imports do not use it.</li><li>Its transactions set <code>plan_cache_mode = force_generic_plan</code> with <code>begin</code>: 15 ms per order instead of 126 on a slow machine.</li><li>Data read together is one statement with nested JSON (<code>nestRows</code>). A new cart takes 6 statements, a preflight 9; a test enforces it.</li><li>Statements with <code>selectAll</code> or <code>returningAll</code> are not prepared: a new column would break them.</li></ul><h2 id="consequences" tabindex="-1">Consequences <a class="header-anchor" href="#consequences" aria-label="Permalink to &quot;Consequences&quot;">​</a></h2><ul><li>A 304 has about 0.9 of the throughput of bare <code>node:http</code>; 0.3 µs of the difference is our code.</li><li>An accepted order takes 24 ms (p95) at 50 orders/s.</li></ul><h2 id="rejected-options" tabindex="-1">Rejected options <a class="header-anchor" href="#rejected-options" aria-label="Permalink to &quot;Rejected options&quot;">​</a></h2><ul><li>Writing to the socket: keep-alive and pipelining would be ours.</li><li>A separate process for hot reads: a copy of every menu.</li></ul></div>`,
  );
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add(
    'docs/decisions/0056-hot-reads-and-prepared-statements.md',
  );
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0056HotReadsAndPreparedStatements = /* @__PURE__ */ _export_sfc(_sfc_main, [['ssrRender', _sfc_ssrRender]]);
export { __pageData, _0056HotReadsAndPreparedStatements as default };
