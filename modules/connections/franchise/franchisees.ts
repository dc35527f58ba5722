import type { Franchisee as AnsweredFranchisee, FranchiseeEdit, NewFranchisee } from '../schemas/franchise.ts';
import { Franchisee } from '../tables/franchise.ts';
import { Problem } from '../../../kernel/problem.ts';
import type { Actor } from '../../../kernel/actor.ts';
import { recordAudit } from '../../access/audit/record-audit.ts';
import { withConstraintProblems } from '../../../kernel/constraint-problems.ts';
import type { Database, Sql } from '../../../platform/db/database.ts';
import { once, type Idempotency } from '../../../kernel/idempotency.ts';
import { readPage, type Page, type Paging } from '../../../kernel/pages.ts';
import { requiredTexts } from '../../../kernel/required-texts.ts';
import { insertRow } from '../../../kernel/edits.ts';
import { activityEdit, editOwner } from './owner-edits.ts';

export type FranchiseeView = AnsweredFranchisee;

const COLUMNS = ['id', 'name', 'isActive', 'createdAt', 'updatedAt', 'version'] as const;

const FRANCHISEE = {
  entity: Franchisee,
  entityType: 'franchisee',
  audited: ({ name, isActive }: FranchiseeView) => ({ name, isActive }),
} as const;

/** Creates an active franchisee. Problems: validation, duplicate (name). */
export function createFranchisee(
  deps: { db: Database },
  actor: Actor,
  input: NewFranchisee,
  idempotency: Idempotency | null = null,
): Promise<FranchiseeView> {
  const { name } = requiredTexts(input, { name: 200 });
  return withConstraintProblems(() =>
    deps.db.transaction((tx) =>
      once(tx, idempotency, async () => {
        const franchisee = await insertRow(tx, Franchisee, { name });
        const { id, isActive, createdAt, updatedAt, version } = franchisee;
        await recordAudit(tx, actor, {
          entityType: 'franchisee',
          entityId: id,
          action: 'create',
          after: { name, isActive },
        });
        return { id, name, isActive, createdAt, updatedAt, version };
      }),
    ),
  );
}

/** One page of franchisees, sorted by name. */
export function listFranchisees({ db }: { db: Database }, paging: Paging): Promise<Page<FranchiseeView>> {
  return readPage(db.db.selectFrom('franchisee').select(COLUMNS).orderBy('name').orderBy('id'), paging);
}

/** One franchisee. Problem `not-found`. */
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
  const change = input.name === undefined ? {} : requiredTexts({ name: input.name }, { name: 200 });
  return editOwner(deps, actor, FRANCHISEE, { id, version, action: 'update', change });
}

/**
 * Makes a franchisee operationally active or not. While it is not, nothing of its legal entities is
 * imported and the ERP is not called for them. A second call changes nothing. Problems: not-found,
 * version-conflict when `version` is given and old.
 */
export function setFranchiseeActive(
  deps: { db: Database },
  actor: Actor,
  input: { id: number; version?: number | undefined; isActive: boolean },
): Promise<FranchiseeView> {
  return editOwner(deps, actor, FRANCHISEE, activityEdit(input));
}
