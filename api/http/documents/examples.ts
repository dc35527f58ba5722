import { readdirSync, readFileSync } from 'node:fs';
import type { Route } from '../route.ts';

/** Written by `npm run carte -- examples:record`. */
export type Example = {
  params?: Record<string, unknown>;
  query?: Record<string, unknown>;
  /** JSON, or the text fields of a form. */
  body?: unknown;
  status: number;
  answer?: unknown;
};

export const EXAMPLES_FOLDER = new URL('../../examples/', import.meta.url);

export function toExampleFile({ api, tags }: Pick<Route, 'api' | 'tags'>): string {
  return `${api}-${(tags[0] ?? 'other').toLowerCase().replaceAll(/[^a-z]+/g, '-')}.json`;
}

/** Reads all examples by operation id. Throws if a file is not JSON. */
export function readExamples(): Readonly<Record<string, Example>> {
  const files = readdirSync(EXAMPLES_FOLDER).filter((name) => name.endsWith('.json'));
  return Object.assign(
    {},
    ...files.map(
      (name) => JSON.parse(readFileSync(new URL(name, EXAMPLES_FOLDER), 'utf8')) as object,
    ),
  ) as Record<string, Example>;
}
