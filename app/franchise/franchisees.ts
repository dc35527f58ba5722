import { Franchisee } from '../../db/entities/franchise.ts';
import type { Actor } from '../actor.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { withConstraintProblems } from '../constraint-problems.ts';
import type { Database, Sql } from '../database.ts';
import { once, type Idempotency } from '../idempotency.ts';
import { readPage, type Page, type Paging } from '../pages.ts';
import { requiredTexts } from '../required-texts.ts';
import { activityEdit, editOwner, getOwner, type OwnerKind } from './owner-edits.ts';

export type FranchiseeView = {
  id: number;
  name: string;
  isActive: boolean;
  createdAt: Date;
  updatedAt: Date;
  version: number;
};

const COLUMNS = `id, name, is_active as "isActive", created_at as "createdAt", updated_at as "updatedAt", version`;

const FRANCHISEE: OwnerKind<FranchiseeView> = {
  table: 'franchisee',
  entityType: 'franchisee',
  columns: COLUMNS,
  editable: { name: 'name', isActive: 'is_active' },
};

/** Creates an active franchisee. Problems: validation, duplicate (name). */
export function createFranchisee(
  deps: { db: Database },
  actor: Actor,
  input: { name: string },
  idempotency: Idempotency | null = null,
): Promise<FranchiseeView> {
  const { name } = requiredTexts(input, { name: 200 });
  return withConstraintProblems(() =>
    deps.db.transaction((tx) =>
      once(tx, idempotency, async () => {
        const franchisee = tx.em.create(Franchisee, { name });
        await tx.em.persist(franchisee).flush();
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

/** One page of franchisees by name. */
export function listFranchisees(deps: { db: Database }, paging: Paging): Promise<Page<FranchiseeView>> {
  return readPage(deps.db, paging, { columns: COLUMNS, from: 'franchisee', order: 'name, id', params: [] });
}

/** One franchisee. Problem `not-found`. */
export function getFranchisee(sql: Sql, id: number): Promise<FranchiseeView> {
  return getOwner(sql, FRANCHISEE, id);
}

/** Renames a franchisee. Problems: not-found, version-conflict, validation, duplicate (name). */
export async function updateFranchisee(
  deps: { db: Database },
  actor: Actor,
  input: { id: number; version: number; name?: string },
): Promise<FranchiseeView> {
  const { id, version } = input;
  const change = input.name === undefined ? {} : requiredTexts({ name: input.name }, { name: 200 });
  return editOwner(deps, actor, FRANCHISEE, { id, version, action: 'update', change });
}

/**
 * Makes a franchisee operationally active or not. While it is not, nothing of its legal entities is imported and nobody is called
 * for them (spec 2, Errors). A second call changes nothing. Problems: not-found, version-conflict when `version` is given and old.
 */
export function setFranchiseeActive(
  deps: { db: Database },
  actor: Actor,
  input: { id: number; version?: number | undefined; isActive: boolean },
): Promise<FranchiseeView> {
  return editOwner(deps, actor, FRANCHISEE, activityEdit(input));
}
