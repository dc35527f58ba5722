import { fileURLToPath } from 'node:url';

/** Path of a certificate or key of tests; what is in them stands in the README beside them. */
export const certificate = (name: string): string => fileURLToPath(new URL(`tls/${name}`, import.meta.url));
