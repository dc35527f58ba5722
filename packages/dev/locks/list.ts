import { BINDING } from './binding.ts';
import { EDITS, MEDIA } from './catalog.ts';
import { GIFTS } from './gifts.ts';
import { CONNECTIONS_AND_ERP } from './connections.ts';
import { FULFILLMENT, ORDERING } from './ordering.ts';
import { MIRROR } from './mirror.ts';
import { toFile, withoutPlace, type Mutation } from './mutation.ts';
import { OPERATIONS } from './operations.ts';
import { uniqueRules, withoutRefusal, withoutRule } from './schema-rules.ts';
import { MENUS } from './snapshot.ts';

const PROOFS = [
  MIRROR,
  CONNECTIONS_AND_ERP,
  EDITS,
  MEDIA,
  BINDING,
  MENUS,
  FULFILLMENT,
  OPERATIONS,
  GIFTS,
  ORDERING,
];

/** Tests each unique rule, whose name is in the title. */
const OF_UNIQUE_RULES = 'test/integration/db/unique-rules.test.ts';

/**
 * Returns everything that `npm run carte -- check:locks` removes: entries of `PROOFS`, and unique
 * rules of the schema.
 */
export async function readMutations(root: string): Promise<Mutation[]> {
  const listed = PROOFS.flatMap((proofs) =>
    Object.entries(proofs).flatMap(([file, places]) =>
      Object.entries(places).flatMap(([id, titles]) =>
        [titles].flat().map((title) => ({ id, test: { file, title }, change: toChange(id) })),
      ),
    ),
  );

  const rules = (await uniqueRules(root)).map((rule) => ({
    id: `unique ${rule.name}`,
    test: { file: OF_UNIQUE_RULES, title: `(${rule.name})` },
    change: { table: rule.table, statements: withoutRule(rule) },
  }));

  return [...listed, ...rules];
}

function toChange(id: string): Mutation['change'] {
  const [, refusal] = /^refusal (\w+)$/.exec(id) ?? [];
  return refusal === undefined
    ? { file: toFile(id), edit: (text) => withoutPlace(id, text) }
    : { table: refusal, statements: withoutRefusal(refusal) };
}
