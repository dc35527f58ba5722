import DefaultTheme from 'vitepress/theme';
import type { Theme } from 'vitepress';
import { ApiConsole } from './api-console.ts';
import { MermaidDiagram } from './mermaid-diagram.ts';
import './style.css';

/** Adds diagrams and the API console to the default theme. */
export default {
  extends: DefaultTheme,
  enhanceApp({ app }) {
    app.component('MermaidDiagram', MermaidDiagram);
    app.component('ApiConsole', ApiConsole);
  },
} satisfies Theme;
