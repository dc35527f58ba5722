import { fileURLToPath } from 'node:url';

/**
 * Path of a certificate or key of tests; the README beside them describes their content beside
 * them.
 */
export const certificate = (name: string): string => fileURLToPath(new URL(`tls/${name}`, import.meta.url));
