import { defineComponent, h, onMounted, ref } from 'vue';
import viewerUrl from 'swagger-ui-dist/swagger-ui-bundle.js?url';
import 'swagger-ui-dist/swagger-ui.css';
import viewUrl from '../../apis/reference-view.js?url';
import { loadScript } from './load-script.ts';

const PREFIXES = { public: '/api/v1', admin: '/api/admin/v1', webhooks: '/api/webhooks' };

/** Lists the operations of an API and sends them to the instance that serves the page. */
export const ApiConsole = defineComponent({
  props: { api: { type: String, required: true } },
  setup({ api }) {
    const element = ref();
    onMounted(async () => {
      await Promise.all([loadScript(viewerUrl), loadScript(viewUrl)]);
      globalThis.showReference(element.value, `${PREFIXES[api]}/openapi.json`);
    });

    return () => h('div', { class: 'api-console', ref: element });
  },
});
