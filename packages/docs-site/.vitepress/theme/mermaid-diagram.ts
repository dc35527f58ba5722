import { defineComponent, h, onMounted, ref } from 'vue';
import mermaidUrl from '@mermaid-js/tiny/dist/mermaid.tiny.js?url';
import { loadScript } from './load-script.ts';

let drawn = 0;

/** Renders a Mermaid diagram as SVG. Without scripts, or if rendering fails, shows the text. */
export const MermaidDiagram = defineComponent({
  props: { source: { type: String, required: true } },
  setup({ source }) {
    const text = decodeURIComponent(source);
    const svg = ref('');
    onMounted(async () => {
      await loadScript(mermaidUrl);
      const { mermaid } = globalThis;
      mermaid.initialize({
        startOnLoad: false,
        securityLevel: 'strict',
        theme: 'neutral',
        fontFamily: 'inherit',
      });

      const { svg: image } = await mermaid.render(`diagram-${(drawn += 1)}`, text);
      // Lets wide diagrams scroll on a phone.
      svg.value = image.replace(
        /max-width: ([\d.]+px)/,
        'max-width: $1; min-width: min($1, 640px)',
      );
    });

    return () =>
      svg.value === ''
        ? h('pre', { class: 'diagram' }, text)
        : h('figure', { class: 'diagram', innerHTML: svg.value });
  },
});
