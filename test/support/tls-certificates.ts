import { fileURLToPath } from 'node:url';

/** See the README in the folder. */
export const certificate = (name: string): string =>
  fileURLToPath(new URL(`tls/${name}`, import.meta.url));
