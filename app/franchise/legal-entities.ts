import { invalidField } from '../../contracts/problem.ts';
import { LegalEntity } from '../../db/entities/franchise.ts';
import type { Actor } from '../actor.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { withConstraintProblems } from '../constraint-problems.ts';
import type { Database, Sql } from '../database.ts';
import { once, type Idempotency } from '../idempotency.ts';
import { readPage, type Page, type Paging } from '../pages.ts';
import { requiredTexts } from '../required-texts.ts';
import { activityEdit, editOwner, getOwner, type OwnerKind } from './owner-edits.ts';

export type LegalEntityView = {
  id: number;
  franchiseeId: number;
  name: string;
  taxId: string | null;
  isActive: boolean;
  createdAt: Date;
  updatedAt: Date;
  version: number;
};
export type NewLegalEntity = { franchiseeId: number; name: string; taxId?: string | null };

const COLUMNS = `id, franchisee_id as "franchiseeId", name, tax_id as "taxId", is_active as "isActive",
  created_at as "createdAt", updated_at as "updatedAt", version`;

const LEGAL_ENTITY: OwnerKind<LegalEntityView> = {
  table: 'legal_entity',
  entityType: 'legal-entity',
  columns: COLUMNS,
  editable: { franchiseeId: 'franchisee_id', name: 'name', taxId: 'tax_id', isActive: 'is_active' },
};

/** Creates an active legal entity of a franchisee. Problems: validation (unknown franchisee), duplicate (tax id). */
export function createLegalEntity(
  deps: { db: Database },
  actor: Actor,
  input: NewLegalEntity,
  idempotency: Idempotency | null = null,
): Promise<LegalEntityView> {
  const { name } = requiredTexts({ name: input.name }, { name: 200 });
  const taxId = taxIdOf(input.taxId);
  return withConstraintProblems(() =>
    deps.db.transaction((tx) =>
      once(tx, idempotency, async () => {
        await requireFranchisee(tx, input.franchiseeId);
        const entity = tx.em.create(LegalEntity, { franchiseeId: input.franchiseeId, name, taxId });
        await tx.em.persist(entity).flush();
        const { id, franchiseeId, isActive, createdAt, updatedAt, version } = entity;
        await recordAudit(tx, actor, {
          entityType: 'legal-entity',
          entityId: id,
          action: 'create',
          after: { franchiseeId, name, taxId, isActive },
        });
        return { id, franchiseeId, name, taxId, isActive, createdAt, updatedAt, version };
      }),
    ),
  );
}

/** One page of legal entities by name, of one franchisee or of all. */
export function listLegalEntities(
  deps: { db: Database },
  input: Paging & { franchiseeId?: number | undefined },
): Promise<Page<LegalEntityView>> {
  return readPage(deps.db, input, {
    columns: COLUMNS,
    from: 'legal_entity where $1::bigint is null or franchisee_id = $1',
    order: 'name, id',
    params: [input.franchiseeId ?? null],
  });
}

/** One legal entity. Problem `not-found`. */
export function getLegalEntity(sql: Sql, id: number): Promise<LegalEntityView> {
  return getOwner(sql, LEGAL_ENTITY, id);
}

/**
 * Changes name and tax id of a legal entity; its franchisee stays. A field that is left out stays, a null tax id is removed.
 * Problems: not-found, version-conflict, validation, duplicate (tax id).
 */
export async function updateLegalEntity(
  deps: { db: Database },
  actor: Actor,
  input: { id: number; version: number; name?: string; taxId?: string | null },
): Promise<LegalEntityView> {
  const { id, version } = input;
  const change = {
    ...(input.name === undefined ? {} : requiredTexts({ name: input.name }, { name: 200 })),
    ...(input.taxId === undefined ? {} : { taxId: taxIdOf(input.taxId) }),
  };
  return editOwner(deps, actor, LEGAL_ENTITY, { id, version, action: 'update', change });
}

/**
 * Makes a legal entity operationally active or not. While it is not, nothing of its connections is imported and nobody is called
 * for them (spec 2, Errors). A second call changes nothing. Problems: not-found, version-conflict when `version` is given and old.
 */
export function setLegalEntityActive(
  deps: { db: Database },
  actor: Actor,
  input: { id: number; version?: number | undefined; isActive: boolean },
): Promise<LegalEntityView> {
  return editOwner(deps, actor, LEGAL_ENTITY, activityEdit(input));
}

function taxIdOf(taxId: string | null | undefined): string | null {
  return taxId == null ? null : requiredTexts({ taxId }, { taxId: 20 }).taxId;
}

async function requireFranchisee(tx: Sql, id: number): Promise<void> {
  const rows = await tx.query('select 1 from franchisee where id = $1', [id]);
  if (rows.length === 0) throw invalidField('franchiseeId', 'not_found', 'No such franchisee');
}
