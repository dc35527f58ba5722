import { selectAuthor } from '../../access/authors.ts';
import { sql } from 'kysely';
import type {
  CandidateConfirmation,
  CandidateDismissal,
  CompensationCandidate,
} from '../schemas/staff-decisions.ts';
import { Problem } from '../../../kernel/problem.ts';
import type { CandidateStatus } from '../rules/words.ts';
import type { SecretBox } from '../../../platform/secrets.ts';
import { recordAudit } from '../../access/audit/record-audit.ts';
import { erasePersonal, readPersonal } from '../../access/customers/personal-data.ts';
import {
  keepReason,
  withReasons,
  type StoredReason,
} from '../../access/customers/staff-reasons.ts';
import type { Database, Sql, Tx } from '../../../platform/db/database.ts';
import { once, type Idempotency } from '../../../kernel/idempotency.ts';
import { omitUndefined, readPage, type Page, type Paging } from '../../../kernel/pages.ts';
import { requiredTexts } from '../../../kernel/required-texts.ts';
import { keepClient } from '../clients/clients.ts';
import { grantByHand, type StaffActor } from '../rights/issue-right.ts';
import type { CandidateText } from './note-candidates.ts';

type Deps = { db: Database; secrets: SecretBox };

const listed = ({ db }: Sql) =>
  db
    .selectFrom('compensation_candidate as candidate')
    .innerJoin('compensation_client as client', 'client.id', 'candidate.clientId')
    .leftJoin('reward', (join) =>
      join.onRef('reward.id', '=', 'candidate.rewardId').on('reward.isActive', '=', true),
    )
    .select([
      'candidate.id',
      'candidate.status',
      'candidate.clientId',
      'client.connectionId',
      'client.erpCustomerId',
      'candidate.phrase',
      'candidate.personalDataId',
      'candidate.isPresent',
      'candidate.compensationId',
      'candidate.reason',
      'candidate.reasonId',
      'candidate.foundAt',
      'candidate.seenAt',
      'candidate.closedAt',
      selectAuthor('candidate.closedByUserId').as('closedBy'),
    ])
    .select(
      sql<CompensationCandidate['suggestedReward']>`
        case when reward.id is not null then json_build_object('id', reward.id, 'code', reward.code, 'name', reward.name) end`.as(
        'suggestedReward',
      ),
    );

type Row = Omit<CompensationCandidate, 'text' | 'reason' | 'reasonErased'> &
  StoredReason & { personalDataId: string | null };

export async function listCandidates(
  deps: Deps,
  {
    status,
    connectionId,
  }: { status?: CandidateStatus | undefined; connectionId?: number | undefined },
  paging: Paging,
): Promise<Page<CompensationCandidate>> {
  const query = listed(deps.db)
    .where((eb) =>
      eb.and(omitUndefined({ 'candidate.status': status, 'client.connectionId': connectionId })),
    )
    .orderBy('candidate.foundAt', 'desc')
    .orderBy('candidate.id', 'desc');

  const { items, ...page } = await readPage(query, paging);

  return { ...page, items: await buildViews(deps, items) };
}

async function buildViews(deps: Deps, rows: readonly Row[]): Promise<CompensationCandidate[]> {
  const ids = rows.flatMap(({ personalDataId }) => personalDataId ?? []);
  const texts = await readPersonal<CandidateText>(deps.db, deps, ids);

  return (await withReasons(deps.db, deps, rows)).map(({ personalDataId, ...row }) => ({
    ...row,
    text: personalDataId === null ? null : (texts.get(personalDataId)?.text ?? null),
  }));
}

/**
 * Grants the gift manually (rules CMP-9, CMP-25) and deletes the text. Problems: not-found,
 * validation, grant-limit-reached, invalid-transition (closed), those of `once`.
 */
export async function confirmCandidate(
  deps: Deps,
  actor: StaffActor,
  id: number,
  input: CandidateConfirmation,
  idempotency: Idempotency | null,
  now = new Date(),
): Promise<CompensationCandidate> {
  const { reasonComment } = requiredTexts(
    { reasonComment: input.reasonComment },
    { reasonComment: 500 },
    'words',
  );

  await deps.db.transaction((tx) =>
    once(tx, idempotency, async () => {
      const candidate = await holdOpen(tx, id);
      const compensationId = await grantByHand(
        tx,
        deps,
        actor,
        { ...input, reasonComment, clientId: candidate.clientId },
        { marker: `candidate/${id}`, now },
      );

      const reasonId = await keepReason(tx, deps, reasonComment);
      await close(tx, actor, candidate, { status: 'CONFIRMED', compensationId, reasonId, at: now });

      return compensationId;
    }),
  );

  return getCandidate(deps, id);
}

/**
 * Dismisses a phrase until it disappears from the comment (rule CMP-25). Problems: not-found,
 * validation, invalid-transition (closed).
 */
export async function dismissCandidate(
  deps: Deps,
  actor: StaffActor,
  id: number,
  input: CandidateDismissal,
): Promise<CompensationCandidate> {
  const { reason } = requiredTexts({ reason: input.reason }, { reason: 500 }, 'words');
  await deps.db.transaction(async (tx) => {
    const candidate = await holdOpen(tx, id);
    const reasonId = await keepReason(tx, deps, reason);
    await close(tx, actor, candidate, {
      status: 'DISMISSED',
      compensationId: null,
      reasonId,
      at: new Date(),
    });
  });

  return getCandidate(deps, id);
}

type OpenCandidate = { id: number; clientId: string; personalDataId: string | null };

/** Locks the client before the card, like reading a card (rule CMP-109). */
async function holdOpen(tx: Tx, id: number): Promise<OpenCandidate> {
  const { db } = tx;
  const candidate = () =>
    db
      .selectFrom('compensation_candidate')
      .select(['id', 'clientId', 'personalDataId', 'status'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow(
        () => new Problem('not-found', { detail: 'There is no such candidate.' }),
      );

  const { clientId } = await candidate();
  await keepClient(tx, clientId);
  await db
    .selectFrom('client_card')
    .select('clientId')
    .where('clientId', '=', clientId)
    .forUpdate()
    .execute();

  const { status, ...open } = await candidate();
  if (status !== 'OPEN') throw new Problem('invalid-transition');

  return open;
}

async function close(
  tx: Tx,
  actor: StaffActor,
  { id, personalDataId }: OpenCandidate,
  {
    at,
    ...decision
  }: { status: CandidateStatus; compensationId: string | null; reasonId: string; at: Date },
): Promise<void> {
  await tx.db
    .updateTable('compensation_candidate')
    .set({ ...decision, personalDataId: null, closedAt: at, closedByUserId: actor.userId })
    .where('id', '=', id)
    .execute();

  if (personalDataId !== null) await erasePersonal(tx, [personalDataId]);
  const { status, compensationId, reasonId } = decision;
  await recordAudit(tx, actor, {
    entityType: 'compensation-candidate',
    entityId: id,
    action: status === 'CONFIRMED' ? 'confirm' : 'dismiss',
    before: { status: 'OPEN' },
    after: { status, compensationId },
    reasonId,
  });
}

async function getCandidate(deps: Deps, id: number): Promise<CompensationCandidate> {
  const row = await listed(deps.db).where('candidate.id', '=', id).executeTakeFirstOrThrow();
  const [view] = await buildViews(deps, [row]);
  return view!;
}
