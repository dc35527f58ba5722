import { ssrRenderAttrs } from 'vue/server-renderer';
import { useSSRContext } from 'vue';
import { _ as _export_sfc } from './plugin-vue_export-helper.1tPrXgE0.js';
const __pageData = JSON.parse(
  '{"title":"46. Opening hours, delivery zones and addresses are resolved in memory and compared by fingerprint","description":"","frontmatter":{},"headers":[],"relativePath":"decisions/0046-zones-and-addresses.md","filePath":"docs/decisions/0046-zones-and-addresses.md"}',
);
const _sfc_main = { name: 'decisions/0046-zones-and-addresses.md' };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(
    `<div${ssrRenderAttrs(_attrs)}><h1 id="46-opening-hours-delivery-zones-and-addresses-are-resolved-in-memory-and-compared-by-fingerprint" tabindex="-1">46. Opening hours, delivery zones and addresses are resolved in memory and compared by fingerprint <a class="header-anchor" href="#46-opening-hours-delivery-zones-and-addresses-are-resolved-in-memory-and-compared-by-fingerprint" aria-label="Permalink to &quot;46. Opening hours, delivery zones and addresses are resolved in memory and compared by fingerprint&quot;">​</a></h1><h2 id="status" tabindex="-1">Status <a class="header-anchor" href="#status" aria-label="Permalink to &quot;Status&quot;">​</a></h2><p>Accepted.</p><h2 id="context" tabindex="-1">Context <a class="header-anchor" href="#context" aria-label="Permalink to &quot;Context&quot;">​</a></h2><p>Every guest needs opening hours and the zone of a point, which depend on a few rows and the time. The ERP states zones by name and polygon without ids, and guests type addresses freely.</p><h2 id="decision" tabindex="-1">Decision <a class="header-anchor" href="#decision" aria-label="Permalink to &quot;Decision&quot;">​</a></h2><ul><li>Each API process has a clock per organization: facts, a week of status periods, slots. Edits notify by a PostgreSQL channel; a comparison every <code>SNAPSHOT_POLL</code> repairs lost notifications.</li><li>An organization without configuration accepts no orders. Its time zone is that of staff, else of terminal groups, else <code>SYNC_TIME_ZONE</code>.</li><li>A zone is (organization, trimmed name) with our id. A missing and a new name with one polygon are a rename. A broken polygon keeps the previous one.</li><li><code>robust-predicates</code> tests containment; western and southern borders belong to a polygon. <code>flatbush</code> indexes bounds in memory.</li><li>Overlapping zones are rejected unless <code>overlapping_zones</code> is PRIORITY; equal priorities are always rejected.</li><li>The geocoder is a port with Photon and Nominatim adapters (2 s, circuit per process). <code>match-address.ts</code> compares city, street and house, because geocoders return the next best result.</li><li>An address is one encrypted record of a customer or cart. The geocoder&#39;s house wins; if only the street is found, the guest&#39;s point counts within 300 m and stays imprecise.</li></ul><h2 id="consequences" tabindex="-1">Consequences <a class="header-anchor" href="#consequences" aria-label="Permalink to &quot;Consequences&quot;">​</a></h2><ul><li>Without a geocoder, cities and streets come from the ERP, cached for six hours.</li></ul><h2 id="rejected-options" tabindex="-1">Rejected options <a class="header-anchor" href="#rejected-options" aria-label="Permalink to &quot;Rejected options&quot;">​</a></h2><ul><li>PostGIS: an extension to install. <code>rbush</code>: larger and slower. The database on each resolve: dearer than the resolve.</li><li>A digest of addresses: it can be reversed by trying all addresses.</li></ul></div>`,
  );
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add(
    'docs/decisions/0046-zones-and-addresses.md',
  );
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _0046ZonesAndAddresses = /* @__PURE__ */ _export_sfc(_sfc_main, [['ssrRender', _sfc_ssrRender]]);
export { __pageData, _0046ZonesAndAddresses as default };
