import { fileURLToPath } from 'node:url';

/** Path of a certificate or key. See the README in its folder. */
export const certificate = (name: string): string =>
  fileURLToPath(new URL(`tls/${name}`, import.meta.url));
