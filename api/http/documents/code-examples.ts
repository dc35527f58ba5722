import { readFileSync } from 'node:fs';
import type { CodeListName } from '../../../kernel/pure/codes.ts';

/** A recorded object with a code, and the operation whose answer contains it. */
export type CodeExample = { operation: string; object: Readonly<Record<string, unknown>> };
type CodeExamples = { readonly [L in CodeListName]?: Readonly<Record<string, CodeExample>> };

/** Recorded and compared with answers by `test/http/ordering/codes.test.ts` (rule ORD-97). */
export const CODE_EXAMPLES_FILE = new URL('code-examples.json', import.meta.url);

/** Recorded examples by list and code. @throws Error if the file cannot be read as JSON. */
export const readCodeExamples = (): CodeExamples =>
  JSON.parse(readFileSync(CODE_EXAMPLES_FILE, 'utf8')) as CodeExamples;
