import { randomInt } from 'node:crypto';
import type { Actor } from '../../../kernel/actor.ts';
import { commitEdit } from '../../../kernel/edits.ts';
import { once, type Idempotency } from '../../../kernel/idempotency.ts';
import { invalidField } from '../../../kernel/problem.ts';
import { textErrors } from '../../../kernel/pure/required-texts.ts';
import { anyOf, type Database, type Tx } from '../../../platform/db/database.ts';
import { recordAudits } from '../../access/audit/record-audit.ts';
import { normalCode } from '../rules/discount-fields.ts';
import type { PromocodeBulk, PromocodeBulkResult } from '../schemas/requests.ts';
import { PROMOCODE_LENGTH, requireDiscount } from './promocodes.ts';

/** Contains no similar characters. */
const LETTERS = 'ACDEFGHJKMNPQRTVWXY34679';
const DEFAULT_LENGTH = 8;
const ROUNDS = 5;

/** `row` is the position in the request. */
type Candidate = { row: number; code: string };
type Fields = { discountId: number; isActive: boolean };

/**
 * Creates listed or random codes (rule ORD-183). Returns existing and repeated codes, which it
 * skips. A dry run creates nothing. Problem `validation` unless either codes or a count are given.
 */
export function bulkPromocodes(
  deps: { db: Database },
  actor: Actor,
  request: PromocodeBulk,
  idempotency: Idempotency | null,
): Promise<PromocodeBulkResult> {
  const { codes, count, prefix, length } = request;
  if ((codes === undefined) === (count === undefined))
    throw invalidField('codes', 'required', 'Name either `codes` or a `count`.');
  if (codes !== undefined && (prefix !== undefined || length !== undefined))
    throw invalidField('prefix', 'not_supported', '`prefix` and `length` are for random codes.');

  return commitEdit(deps, (tx) =>
    once(tx, idempotency, async () => {
      await requireDiscount(tx, request.discountId);
      return codes === undefined
        ? createRandom(tx, actor, request)
        : createListed(tx, actor, request, codes);
    }),
  );
}

const isValid = (code: string): boolean =>
  textErrors({ code }, { code: PROMOCODE_LENGTH }, 'name').length === 0;

async function createListed(
  tx: Tx,
  actor: Actor,
  request: PromocodeBulk,
  codes: readonly string[],
): Promise<PromocodeBulkResult> {
  const rows = codes.map((code, row): Candidate => ({ row, code: normalCode(code) ?? '' }));
  const invalid = new Set(rows.filter(({ code }) => !isValid(code)).map(({ row }) => row));
  const firsts = new Map(rows.toReversed().map(({ code, row }) => [code, row]));
  const isRepeated = ({ code, row }: Candidate): boolean => firsts.get(code) !== row;
  const created = await create(
    tx,
    actor,
    rows.filter((row) => !invalid.has(row.row) && !isRepeated(row)).map(({ code }) => code),
    request,
  );

  const isCreated = new Set(created.map(({ code }) => code));

  return {
    created,
    failed: rows.flatMap((row): PromocodeBulkResult['failed'] => {
      if (invalid.has(row.row)) return [{ ...row, reason: 'INVALID' }];
      if (isRepeated(row)) return [{ ...row, reason: 'REPEATED' }];
      return isCreated.has(row.code) ? [] : [{ ...row, reason: 'DUPLICATE' }];
    }),
  };
}

async function createRandom(
  tx: Tx,
  actor: Actor,
  request: PromocodeBulk,
): Promise<PromocodeBulkResult> {
  const { count = 0, prefix = '', length = DEFAULT_LENGTH } = request;
  // Each word has one alphabet (rule HTTP-25). Random letters are Latin.
  const start =
    /\p{L}$/u.test(prefix) && !/[A-Z]$/.test(normalCode(prefix) ?? '') ? `${prefix}-` : prefix;
  const created: PromocodeBulkResult['created'] = [];

  for (let round = 0; round < ROUNDS && created.length < count; round += 1) {
    const drawn = new Set<string>();
    while (drawn.size < count - created.length)
      drawn.add(normalCode(start + randomLetters(length))!);
    created.push(...(await create(tx, actor, [...drawn], request)));
  }

  if (created.length < count)
    throw invalidField(
      'length',
      'invalid',
      'Too few codes of this length are free. Choose a greater length.',
    );

  return { created, failed: [] };
}

const randomLetters = (length: number): string =>
  Array.from({ length }, () => LETTERS[randomInt(LETTERS.length)]).join('');

async function create(
  tx: Tx,
  actor: Actor,
  codes: readonly string[],
  { discountId, isActive = true, dryRun = false }: PromocodeBulk,
): Promise<PromocodeBulkResult['created']> {
  if (dryRun) return (await freeAmong(tx, codes)).map((code) => ({ id: null, code }));
  const fields: Fields = { discountId, isActive };
  if (codes.length === 0) return [];
  // Sorted to avoid deadlocks.
  const values = codes.toSorted().map((code) => ({ code, ...fields }));
  const created = await tx.db
    .insertInto('promocode')
    .values(values)
    .onConflict((conflict) => conflict.column('code').doNothing())
    .returning(['id', 'code'])
    .execute();

  await recordAudits(
    tx,
    actor,
    created.map(({ id, code }) => ({
      entityType: 'promocode',
      entityId: id,
      action: 'create',
      after: { code, ...fields },
    })),
  );

  return created;
}

async function freeAmong({ db }: Tx, codes: readonly string[]): Promise<string[]> {
  const rows = await db
    .selectFrom('promocode')
    .select('code')
    .where('code', '=', anyOf(codes, 'text'))
    .execute();
  const existing = new Set(rows.map(({ code }) => code));

  return codes.filter((code) => !existing.has(code));
}
