import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const api = process.env['CARTE_API'] ?? 'http://127.0.0.1:8080';

export default defineConfig({
  // In this repository the client is read from its sources. With the package from npm, delete the
  // alias.
  resolve: {
    alias: {
      '@carte/client/storefront': fileURLToPath(new URL('../../packages/client/src/storefront.ts', import.meta.url)),
    },
  },
  build: { modulePreload: { polyfill: false } },
  server: { proxy: { '/api': api, '/media': api } },
});
