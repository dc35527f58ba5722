import { Problem } from '../../../kernel/problem.ts';
import type { Sql } from '../../../platform/db/database.ts';
import { publishFacts } from '../publish-facts.ts';
import { publishViolations } from '../rules/publish-rules.ts';
import { decideMove } from '../rules/states.ts';
import { withTexts } from '../violation-texts.ts';
import type { PublishCheck } from '../schemas/catalog.ts';

/**
 * Returns violations of publication rules for a product in any status (CAT-62). Problem
 * `not-found`.
 */
export async function checkPublish(sql: Sql, id: number): Promise<PublishCheck> {
  const { status } = await sql.db
    .selectFrom('catalog_product')
    .select('status')
    .where('id', '=', id)
    .executeTakeFirstOrThrow(() => new Problem('not-found', { detail: 'No such product.' }));

  const facts = (await publishFacts(sql, [id])).get(id);
  const violations = facts === undefined ? [] : publishViolations(facts);
  const canPublish = violations.length === 0 && decideMove(status, 'publish').kind !== 'refused';

  return { id, status, canPublish, violations: withTexts(violations) };
}
