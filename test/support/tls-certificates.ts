import { fileURLToPath } from 'node:url';

/** Path of a certificate or key of tests; the README next to them describes their content. */
export const certificate = (name: string): string => fileURLToPath(new URL(`tls/${name}`, import.meta.url));
