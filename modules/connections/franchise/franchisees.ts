import type {
  Franchisee as AnsweredFranchisee,
  FranchiseeEdit,
  NewFranchisee,
} from '../schemas/franchise.ts';
import { Franchisee } from '../tables/franchise.ts';
import { Problem } from '../../../kernel/problem.ts';
import type { Actor } from '../../../kernel/actor.ts';
import { createRow, editRow } from '../../access/audit/audited-rows.ts';
import type { Database, Sql } from '../../../platform/db/database.ts';
import { once, type Idempotency } from '../../../kernel/idempotency.ts';
import { readPage, type Page, type Paging } from '../../../kernel/pages.ts';
import { requiredTexts } from '../../../kernel/required-texts.ts';
import { commitEdit } from '../../../kernel/edits.ts';

export type FranchiseeView = AnsweredFranchisee;

const COLUMNS = ['id', 'name', 'isActive', 'createdAt', 'updatedAt', 'version'] as const;

const FRANCHISEE = { entity: Franchisee, entityType: 'franchisee' } as const;
const audited = ({ name, isActive }: FranchiseeView) => ({ name, isActive });

/** Creates an active franchisee. Problems: validation, duplicate (name). */
export function createFranchisee(
  deps: { db: Database },
  actor: Actor,
  input: NewFranchisee,
  idempotency: Idempotency | null = null,
): Promise<FranchiseeView> {
  const { name } = requiredTexts(input, { name: 200 });
  return commitEdit(deps, (tx) =>
    once(tx, idempotency, async () =>
      getFranchisee(tx, await createRow(tx, actor, FRANCHISEE, { name, isActive: true })),
    ),
  );
}

export function listFranchisees(
  { db }: { db: Database },
  paging: Paging,
): Promise<Page<FranchiseeView>> {
  return readPage(
    db.db.selectFrom('franchisee').select(COLUMNS).orderBy('name').orderBy('id'),
    paging,
  );
}

/** Problem `not-found`. */
export function getFranchisee({ db }: Sql, id: number): Promise<FranchiseeView> {
  return db
    .selectFrom('franchisee')
    .select(COLUMNS)
    .where('id', '=', id)
    .executeTakeFirstOrThrow(() => new Problem('not-found'));
}

/** Renames a franchisee. Problems: not-found, version-conflict, validation, duplicate (name). */
export async function updateFranchisee(
  deps: { db: Database },
  actor: Actor,
  input: FranchiseeEdit & { id: number },
): Promise<FranchiseeView> {
  const { id, version } = input;
  const fields = input.name === undefined ? {} : requiredTexts({ name: input.name }, { name: 200 });
  return commitEdit(deps, (tx) => editRow(tx, actor, FRANCHISEE, { id, version, fields, audited }));
}

/**
 * Enables or disables imports and ERP calls for its legal entities. Idempotent. Problems:
 * not-found, version-conflict.
 */
export function setFranchiseeActive(
  deps: { db: Database },
  actor: Actor,
  { id, version, isActive }: { id: number; version?: number | undefined; isActive: boolean },
): Promise<FranchiseeView> {
  const action = isActive ? 'activate' : 'deactivate';
  return commitEdit(deps, (tx) =>
    editRow(tx, actor, FRANCHISEE, { id, version, fields: { isActive }, action, audited }),
  );
}
