import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { evaluateBindings } from '../../../modules/binding/evaluate-bindings.ts';
import { bindingDeps } from '../../support/bindings.ts';
import { migratedDatabase } from '../../support/database.ts';
import { countingDatabase, manyVariants } from '../../support/many-variants.ts';
import { startEntry } from '../../support/processes.ts';
import { wholeInSoak } from '../../support/repetitions.ts';
import { countRows } from '../../support/rows.ts';

let small: Awaited<ReturnType<typeof migratedDatabase>>;
let large: Awaited<ReturnType<typeof migratedDatabase>>;
beforeAll(async () => {
  [small, large] = await Promise.all([migratedDatabase(), migratedDatabase()]);
});
afterAll(() => Promise.all([small.close(), large.close()]));

/** Counts the statements of three evaluations: all variants vanish, nothing changes, all return. */
async function countStatements({ db }: typeof small, variants: number) {
  const fixture = await manyVariants(db, { variants, organizations: 3 });
  const part = Math.ceil(variants / 4);
  const counts: number[] = [];
  const evaluate = async () => {
    const counting = countingDatabase(db);
    const result = await evaluateBindings({ ...bindingDeps(db), db: counting.db }, { runId: null });
    counts.push(counting.statements());
    return result;
  };
  await evaluate();
  await fixture.change({ vanished: part, renamed: part, replaced: part });
  const eventful = await evaluate();
  await evaluate();
  await fixture.bringBack();
  const back = await evaluate();
  return { counts, eventful, back, part };
}

const MANY = wholeInSoak(1_000, 200);

test('[BND-7] the number of statements does not depend on the variants and their changes', async () => {
  const few = await countStatements(small, 4);
  const many = await countStatements(large, MANY);

  expect(many.eventful).toMatchObject({
    variants: MANY,
    missing: MANY / 4,
    renamed: MANY / 4,
    unpublished: MANY / 4,
    incidents: (3 * MANY) / 4,
  });
  expect(many.back).toMatchObject({ returned: MANY / 4 });
  expect(few.eventful).toMatchObject({ missing: 1, renamed: 1, unpublished: 1, incidents: 3 });
  expect(many.counts).toEqual(few.counts);
  expect(Math.max(...many.counts)).toBeLessThan(40);
});

test.each(wholeInSoak(['binding-evaluation', 'binding-evaluated'], ['binding-evaluation']))(
  'a process that dies at %s leaves all or nothing, and the next one finishes the work',
  async (place) => {
    const database = await migratedDatabase();
    try {
      const fixture = await manyVariants(database.db, { variants: 20, organizations: 2 });
      await evaluateBindings(bindingDeps(database.db), { runId: null });
      await fixture.change({ vanished: 5, renamed: 5, replaced: 5 });
      const left = async () => ({
        incidents: await countRows(database.db, 'binding_incident'),
        hidden: await countRows(database.db, 'catalog_product', { status: 'UNPUBLISHED' }),
        missing: await countRows(database.db, 'catalog_variant', { bindingState: 'MISSING' }),
        audited: await countRows(database.db, 'audit_entry', { entityType: 'variant' }),
        notifications: await countRows(database.db, 'notification'),
      });
      const all = { incidents: 15, hidden: 5, missing: 5, audited: 5, notifications: 1 };
      const nothing = { incidents: 0, hidden: 0, missing: 0, audited: 0, notifications: 0 };

      const program = new URL('fixtures/evaluate-once.ts', import.meta.url).pathname;
      const died = await startEntry('evaluation', program, [], {
        ...process.env,
        DATABASE_URL: database.url,
        CARTE_FAILPOINT: place,
      }).exited;

      expect(died).toBe('SIGKILL');
      expect(await left()).toEqual(place === 'binding-evaluated' ? all : nothing);
      await evaluateBindings(bindingDeps(database.db), { runId: null });
      expect(await left()).toEqual(all);
    } finally {
      await database.close();
    }
  },
);
