import { readdirSync, readFileSync } from 'node:fs';
import type { Route } from '../route.ts';

/**
 * One recorded request of an operation with its answer, as `npm run carte -- examples:record`
 * writes it.
 */
export type Example = {
  params?: Record<string, unknown>;
  query?: Record<string, unknown>;
  /** JSON body, or the text members of a form. */
  body?: unknown;
  status: number;
  answer?: unknown;
};

export const EXAMPLES_FOLDER = new URL('../../examples/', import.meta.url);

/** Name of the file with the examples of a route: one for each API and tag. */
export function exampleFileOf({ api, tags }: Pick<Route, 'api' | 'tags'>): string {
  return `${api}-${(tags[0] ?? 'other').toLowerCase().replaceAll(/[^a-z]+/g, '-')}.json`;
}

/** Every example by operation id. Read from the disk; throws when a file is not JSON. */
export function readExamples(): Readonly<Record<string, Example>> {
  const files = readdirSync(EXAMPLES_FOLDER).filter((name) => name.endsWith('.json'));
  return Object.assign(
    {},
    ...files.map((name) => JSON.parse(readFileSync(new URL(name, EXAMPLES_FOLDER), 'utf8')) as object),
  ) as Record<string, Example>;
}
