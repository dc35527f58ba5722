import { readFileSync } from 'node:fs';
import type { CodeListName } from '../../../kernel/pure/codes.ts';

export type CodeExample = { operation: string; object: Readonly<Record<string, unknown>> };
type CodeExamples = { readonly [L in CodeListName]?: Readonly<Record<string, CodeExample>> };

/** Recorded by `test/http/ordering/codes.test.ts` (rule ORD-97). */
export const CODE_EXAMPLES_FILE = new URL('code-examples.json', import.meta.url);

/** Reads the recorded examples. @throws Error if the file is not JSON. */
export const readCodeExamples = (): CodeExamples =>
  JSON.parse(readFileSync(CODE_EXAMPLES_FILE, 'utf8')) as CodeExamples;
