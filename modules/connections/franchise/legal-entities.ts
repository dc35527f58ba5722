import type { LegalEntity as AnsweredLegalEntity, LegalEntityEdit, NewLegalEntity } from '../schemas/franchise.ts';
import { invalidField, Problem } from '../../../kernel/problem.ts';
import { LegalEntity } from '../tables/franchise.ts';
import type { Actor } from '../../../kernel/actor.ts';
import { recordAudit } from '../../access/audit/record-audit.ts';
import { withConstraintProblems } from '../../../kernel/constraint-problems.ts';
import type { Database, Sql } from '../../../platform/db/database.ts';
import { once, type Idempotency } from '../../../kernel/idempotency.ts';
import { readPage, type Page, type Paging } from '../../../kernel/pages.ts';
import { requiredTexts } from '../../../kernel/required-texts.ts';
import { insertRow } from '../../../kernel/edits.ts';
import { activityEdit, editOwner } from './owner-edits.ts';

export type LegalEntityView = AnsweredLegalEntity;

const COLUMNS = ['id', 'franchiseeId', 'name', 'taxId', 'isActive', 'createdAt', 'updatedAt', 'version'] as const;

const LEGAL_ENTITY = {
  entity: LegalEntity,
  entityType: 'legal-entity',
  audited: ({ franchiseeId, name, taxId, isActive }: LegalEntityView) => ({ franchiseeId, name, taxId, isActive }),
} as const;

/**
 * Creates an active legal entity of a franchisee. Problems: validation (unknown franchisee),
 * duplicate (tax id).
 */
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
        const entity = await insertRow(tx, LegalEntity, { franchiseeId: input.franchiseeId, name, taxId });
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

/** One page of legal entities of one franchisee or of all, sorted by name. */
export function listLegalEntities(
  { db }: { db: Database },
  { franchiseeId, ...paging }: Paging & { franchiseeId?: number | undefined },
): Promise<Page<LegalEntityView>> {
  const all = db.db.selectFrom('legal_entity').select(COLUMNS).orderBy('name').orderBy('id');
  return readPage(franchiseeId === undefined ? all : all.where('franchiseeId', '=', franchiseeId), paging);
}

/** One legal entity. Problem `not-found`. */
export function getLegalEntity({ db }: Sql, id: number): Promise<LegalEntityView> {
  return db
    .selectFrom('legal_entity')
    .select(COLUMNS)
    .where('id', '=', id)
    .executeTakeFirstOrThrow(() => new Problem('not-found'));
}

/**
 * Changes name and tax id of a legal entity; its franchisee stays. A field that is left out stays,
 * a null tax id is removed. Problems: not-found, version-conflict, validation, duplicate (tax id).
 */
export async function updateLegalEntity(
  deps: { db: Database },
  actor: Actor,
  input: LegalEntityEdit & { id: number },
): Promise<LegalEntityView> {
  const { id, version } = input;
  const change = {
    ...(input.name === undefined ? {} : requiredTexts({ name: input.name }, { name: 200 })),
    ...(input.taxId === undefined ? {} : { taxId: taxIdOf(input.taxId) }),
  };
  return editOwner(deps, actor, LEGAL_ENTITY, { id, version, action: 'update', change });
}

/**
 * Makes a legal entity operationally active or not. While it is not, nothing of its connections is
 * imported and the ERP is not called for them. A second call changes nothing. Problems: not-found,
 * version-conflict when `version` is given and old.
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

async function requireFranchisee({ db }: Sql, id: number): Promise<void> {
  const found = await db.selectFrom('franchisee').select('id').where('id', '=', id).executeTakeFirst();
  if (found === undefined) throw invalidField('franchiseeId', 'not_found', 'No such franchisee');
}
