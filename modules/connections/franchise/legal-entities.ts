import type {
  LegalEntity as AnsweredLegalEntity,
  LegalEntityEdit,
  NewLegalEntity,
} from '../schemas/franchise.ts';
import { invalidField, Problem } from '../../../kernel/problem.ts';
import { LegalEntity } from '../tables/franchise.ts';
import type { Actor } from '../../../kernel/actor.ts';
import { createRow, editRow } from '../../access/audit/audited-rows.ts';
import type { Database, Sql } from '../../../platform/db/database.ts';
import { once, type Idempotency } from '../../../kernel/idempotency.ts';
import { readPage, type Page, type Paging } from '../../../kernel/pages.ts';
import { requiredTexts } from '../../../kernel/required-texts.ts';
import { commitEdit } from '../../../kernel/edits.ts';

export type LegalEntityView = AnsweredLegalEntity;

const COLUMNS = [
  'id',
  'franchiseeId',
  'name',
  'taxId',
  'isActive',
  'createdAt',
  'updatedAt',
  'version',
] as const;

const LEGAL_ENTITY = { entity: LegalEntity, entityType: 'legal-entity' } as const;

const audited = ({ franchiseeId, name, taxId, isActive }: LegalEntityView) => ({
  franchiseeId,
  name,
  taxId,
  isActive,
});

/**
 * Creates an active legal entity. Problems: validation (unknown franchisee), duplicate (tax id).
 */
export function createLegalEntity(
  deps: { db: Database },
  actor: Actor,
  input: NewLegalEntity,
  idempotency: Idempotency | null = null,
): Promise<LegalEntityView> {
  const { name } = requiredTexts({ name: input.name }, { name: 200 });
  const fields = {
    franchiseeId: input.franchiseeId,
    name,
    taxId: validateTaxId(input.taxId),
    isActive: true,
  };

  return commitEdit(deps, (tx) =>
    once(tx, idempotency, async () => {
      await requireFranchisee(tx, input.franchiseeId);
      return getLegalEntity(tx, await createRow(tx, actor, LEGAL_ENTITY, fields));
    }),
  );
}

export function listLegalEntities(
  { db }: { db: Database },
  { franchiseeId, ...paging }: Paging & { franchiseeId?: number | undefined },
): Promise<Page<LegalEntityView>> {
  const all = db.db.selectFrom('legal_entity').select(COLUMNS).orderBy('name').orderBy('id');
  return readPage(
    franchiseeId === undefined ? all : all.where('franchiseeId', '=', franchiseeId),
    paging,
  );
}

/** Problem `not-found`. */
export function getLegalEntity({ db }: Sql, id: number): Promise<LegalEntityView> {
  return db
    .selectFrom('legal_entity')
    .select(COLUMNS)
    .where('id', '=', id)
    .executeTakeFirstOrThrow(() => new Problem('not-found'));
}

/**
 * Changes name and tax id. Null removes the tax id. Problems: not-found, version-conflict,
 * validation, duplicate (tax id).
 */
export async function updateLegalEntity(
  deps: { db: Database },
  actor: Actor,
  input: LegalEntityEdit & { id: number },
): Promise<LegalEntityView> {
  const { id, version } = input;
  const fields = {
    ...(input.name === undefined ? {} : requiredTexts({ name: input.name }, { name: 200 })),
    ...(input.taxId === undefined ? {} : { taxId: validateTaxId(input.taxId) }),
  };

  return commitEdit(deps, (tx) =>
    editRow(tx, actor, LEGAL_ENTITY, { id, version, fields, audited }),
  );
}

/**
 * Enables or disables imports and ERP calls for its connections. Idempotent. Problems: not-found,
 * version-conflict.
 */
export function setLegalEntityActive(
  deps: { db: Database },
  actor: Actor,
  { id, version, isActive }: { id: number; version?: number | undefined; isActive: boolean },
): Promise<LegalEntityView> {
  const action = isActive ? 'activate' : 'deactivate';
  return commitEdit(deps, (tx) =>
    editRow(tx, actor, LEGAL_ENTITY, { id, version, fields: { isActive }, action, audited }),
  );
}

function validateTaxId(taxId: string | null | undefined): string | null {
  return taxId == null ? null : requiredTexts({ taxId }, { taxId: 20 }).taxId;
}

async function requireFranchisee({ db }: Sql, id: number): Promise<void> {
  const franchisee = await db
    .selectFrom('franchisee')
    .select('id')
    .where('id', '=', id)
    .executeTakeFirst();
  if (franchisee === undefined)
    throw invalidField('franchiseeId', 'not_found', 'No such franchisee');
}
