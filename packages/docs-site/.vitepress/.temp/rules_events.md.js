import { ssrRenderAttrs } from 'vue/server-renderer';
import { useSSRContext } from 'vue';
import { _ as _export_sfc } from './plugin-vue_export-helper.1tPrXgE0.js';
const __pageData = JSON.parse(
  '{"title":"Events","description":"","frontmatter":{},"headers":[],"relativePath":"rules/events.md","filePath":"docs/rules/events.md"}',
);
const _sfc_main = { name: 'rules/events.md' };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(
    `<div${ssrRenderAttrs(_attrs)}><h1 id="events" tabindex="-1">Events <a class="header-anchor" href="#events" aria-label="Permalink to &quot;Events&quot;">​</a></h1><h2 id="recording" tabindex="-1">Recording <a class="header-anchor" href="#recording" aria-label="Permalink to &quot;Recording&quot;">​</a></h2><ul><li><strong>EVT-1.</strong> A public event has an id, type, schema version, time, organization (or null), subject and data by its type&#39;s schema, without personal data.¹²</li><li><strong>EVT-2.</strong> An event exists if and only if the transaction of its change is committed.¹</li><li><strong>EVT-3.</strong> Event ids ascend in commit order, so no lower id appears after a visible one.¹</li><li><strong>EVT-4.</strong> Events of one subject have the order of its changes.¹</li><li><strong>EVT-5.</strong> <code>GET /events</code> returns events after an id, filtered by type and organization, to users with <code>events.read</code>.¹²</li><li><strong>EVT-6.</strong> Events are deleted after 28 days, and <code>oldestId</code> shows readers that they missed some.¹</li><li><strong>EVT-16.</strong> <code>watchEvents()</code> of <code>@carte/client/events</code> returns each event after an id in order, immediately and as they occur, and resumes after failures.¹²</li></ul><h2 id="webhooks" tabindex="-1">Webhooks <a class="header-anchor" href="#webhooks" aria-label="Permalink to &quot;Webhooks&quot;">​</a></h2><ul><li><strong>EVT-7.</strong> An endpoint&#39;s secret is shown once and stored encrypted; endpoint changes need <code>webhooks.manage</code> and are audited with the URL&#39;s host only.¹</li><li><strong>EVT-8.</strong> Each event is posted as JSON with a Standard Webhooks signature and <code>webhook-id</code> <code>evt_{id}</code> for all attempts and endpoints.¹²</li><li><strong>EVT-9.</strong> For 24 hours after a rotation, messages are signed with both secrets.¹</li><li><strong>EVT-10.</strong> Deliveries without a 2xx are retried with growing pauses; after three days or a 410 the endpoint is disabled, administrators are notified, and its events wait.¹</li><li><strong>EVT-11.</strong> Each endpoint gets each matching event at least once, in order per subject, and a crash repeats at most 20 messages.¹²³</li><li><strong>EVT-12.</strong> Endpoints are independent, and deliveries survive crashes of workers and the loss of Temporal&#39;s database.¹²³⁴</li><li><strong>EVT-13.</strong> Messages go only to public HTTPS addresses (unless <code>WEBHOOK_PRIVATE_RECEIVERS</code>), checked per connection, without redirects, within 10 s, reading at most 16 KiB.¹²³</li><li><strong>EVT-14.</strong> Staff can redeliver an event or a time range, and delivery attempts are kept for 28 days.¹²</li><li><strong>EVT-15.</strong> A test message is signed like an event, has the type <code>test</code> and is not repeated.¹²</li><li><strong>EVT-23.</strong> A webhook endpoint names existing organizations and each event type at most once, and its host is public unless <code>WEBHOOK_PRIVATE_RECEIVERS</code> is on.¹</li></ul></div>`,
  );
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add('docs/rules/events.md');
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const events = /* @__PURE__ */ _export_sfc(_sfc_main, [['ssrRender', _sfc_ssrRender]]);
export { __pageData, events as default };
