import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { readMutations } from '../../../packages/dev/locks/list.ts';
import { withoutPlace, type Mutation } from '../../../packages/dev/locks/mutation.ts';
import { NO_LOCKS } from '../../../packages/dev/locks/no-locks.ts';
import { findPlaces, type Place } from '../../../packages/dev/locks/places.ts';
import { readPlaces, unlistedLocks } from '../../../packages/dev/locks/unlisted.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const read = (file: string) => readFile(join(root, file), 'utf8');
const NOTHING: ReadonlySet<string> = new Set();

describe('the list of check:locks', () => {
  let mutations: readonly Mutation[];
  let sources: readonly Place[][];
  beforeAll(async () => {
    mutations = await readMutations(root);
    sources = await readPlaces(root);
  });

  test('contains existing places, each once with a test', async () => {
    const gone: string[] = [];
    for (const { id, change } of mutations) {
      if (!('file' in change)) continue;
      const text = await read(change.file);
      try {
        expect(change.edit(text)).not.toBe(text);
      } catch {
        gone.push(id);
      }
    }
    expect(gone).toEqual([]);
    expect(mutations.length).toBeGreaterThan(200);
    expect(new Set(mutations.map(({ id, test: named }) => `${id} ${named.title}`)).size).toBe(
      mutations.length,
    );
  });

  test('contains existing tests', async () => {
    const missing: string[] = [];
    for (const { id, test: named } of mutations) {
      // A test table is named by its data: `(name)` is the key of a row.
      const title = named.title.replace(/^\((\w+)\)$/, '  $1:');
      if (!(await read(named.file)).includes(title)) missing.push(`${id}: ${named.title}`);
    }
    expect(missing).toEqual([]);
  });

  test('contains every lock of the sources, unless an exception has a valid reason', async () => {
    const listed = new Set(mutations.map(({ id }) => id));
    expect(unlistedLocks(sources, listed, new Set(Object.keys(NO_LOCKS)))).toEqual({
      unlisted: [],
      needless: [],
    });
  });

  test('covers locks that are reported without it', async () => {
    const { unlisted } = unlistedLocks(sources, NOTHING, NOTHING);
    for (const kind of [
      'drop advisory.',
      'drop lockMode:',
      'drop .forUpdate',
      'drop .onConflict',
      'drop on conflict',
    ])
      expect(unlisted.filter((id) => id.includes(kind))).not.toEqual([]);
  });
});

describe('the mutation of operators', () => {
  const SOURCE = `
    export async function take({ db }: Sql, id: number): Promise<Row> {
      await advisory.snapshot(tx, id);
      const row = await db.selectFrom('row').where('id', '=', id).where('endsAt', 'is', null).forUpdate().skipLocked().execute();
      await sql\`insert into claim as held (id) values (\${id}) order by id
        on conflict (id) do update set times = held.times + 1 where (held.until is null or held.until <= now())
        returning id\`.execute(db);
      if (row !== undefined && row.endedAt !== null) throw new Error('it has ended');
      return slots.run(() => sql\`select from row where id in (select max(id) from row) order by id for no key update\`);
    }
  `;
  const without = (place: string): string => withoutPlace(`modules/a.ts take ${place}`, SOURCE);

  const cases: readonly [place: string, before: string, after: string][] = [
    ['drop advisory.snapshot', 'await advisory.snapshot(tx, id);', 'await true;'],
    ['drop .where endsAt', `.where('endsAt', 'is', null)`, ''],
    ['drop .forUpdate', '.forUpdate().skipLocked()', ''],
    ['drop .skipLocked', '.skipLocked()', ''],
    ['drop + 1', 'held.times + 1', 'held.times '],
    ['true held.until <=', 'held.until <= now()', 'true'],
    [
      'drop do update',
      'do update set times = held.times + 1 where (held.until is null or held.until <= now())\n        returning',
      'do nothing returning',
    ],
    [
      'drop on conflict',
      'on conflict (id) do update set times = held.times + 1 where (held.until is null or held.until <= now())\n        returning',
      'returning',
    ],
    ['false row.endedAt', 'row.endedAt !== null', 'false'],
    ['drop order by #2', 'order by id for', 'for'],
    ['drop for no key update', 'for no key update', ''],
  ];

  test.each(cases)('handles %s', (place, before, after) => {
    expect(SOURCE.split(before)).toHaveLength(2);
    expect(without(place)).toBe(SOURCE.replace(before, after));
  });

  test('makes a waiting call run immediately', () => {
    expect(without('unwrap slots.run')).toContain('return (sql`select from row');
  });

  test('fails for a missing place', () => {
    expect(() => without('drop .forShare')).toThrow(
      'no such place any more: modules/a.ts take drop .forShare',
    );
  });

  test('ignores a comment', () => {
    expect(findPlaces('modules/a.ts', '// where id = 1 for update\n')).toEqual([]);
  });
});

describe('the check of locks', () => {
  test('reports an unlisted lock', async () => {
    const folder = await temporaryFolder('locks');
    await mkdir(join(folder, 'modules'));
    await writeFile(
      join(folder, 'modules/new.ts'),
      `export const hold = (tx: Tx) => sql\`select from x for update\`.execute(tx);`,
    );
    try {
      expect(
        unlistedLocks(
          await readPlaces(folder),
          NOTHING,
          new Set(['modules/old.ts hold drop for update']),
        ),
      ).toEqual({
        unlisted: ['modules/new.ts hold drop for update'],
        needless: ['modules/old.ts hold drop for update'],
      });
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
