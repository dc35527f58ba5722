import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

/** The origin of the API, without a path. */
const api = process.env['CARTE_API'] ?? 'http://127.0.0.1:8080';
/** The client's sources in the Carte repository; elsewhere the package is installed. */
const sources = fileURLToPath(new URL('../../packages/client/src/storefront.ts', import.meta.url));

export default defineConfig({
  resolve: { alias: existsSync(sources) ? { '@carte/client/storefront': sources } : {} },
  build: { modulePreload: { polyfill: false } },
  server: { proxy: { '/api': api, '/media': api } },
});
