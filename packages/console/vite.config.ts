import { fileURLToPath } from 'node:url';
import optimizeLocales from '@react-aria/optimize-locales-plugin';
import { defineConfig } from 'vite';

/** The origin of the API, without a path. */
const api = process.env['CARTE_API'] ?? 'http://127.0.0.1:8080';
const client = fileURLToPath(new URL('../client/src/admin.ts', import.meta.url));

export default defineConfig({
  base: '/console/',
  // React Aria has texts in 34 languages.
  plugins: [optimizeLocales.vite({ locales: ['en-US', 'ru-RU'] })],
  resolve: { alias: { '@carte/client/admin': client } },
  build: {
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    // A file of styles that failed to load without a connection would not be tried again.
    cssCodeSplit: false,
    target: 'es2023',
    // TanStack Router marks modules for servers, which the console does not have.
    rolldownOptions: { checks: { moduleLevelDirective: false } },
  },
  server: { proxy: { '/api': api, '/media': api } },
});
