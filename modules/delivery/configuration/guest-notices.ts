import type {
  GuestNotice as Answered,
  GuestNoticeEdit,
  NewGuestNotice,
} from '../schemas/context.ts';
import { Problem } from '../../../kernel/problem.ts';
import { GuestNotice } from '../tables/delivery.ts';
import { periodErrors } from '../rules/expectation-rules.ts';
import { templateErrors } from '../rules/notice-template.ts';
import type { Actor } from '../../../kernel/actor.ts';
import type { Database, Sql } from '../../../platform/db/database.ts';
import { once, type Idempotency } from '../../../kernel/idempotency.ts';
import { inScopeOrChain, type Scope } from '../../../kernel/scope.ts';
import { omitUndefined, readPage, type Page, type Paging } from '../../../kernel/pages.ts';
import { requiredTexts } from '../../../kernel/required-texts.ts';
import { createRow, deleteRow, editRow } from '../../access/audit/audited-rows.ts';
import { commitOrderingEdit, parseMoment, requireNamedOrganization } from './commit-edit.ts';

const NOTICE = {
  entity: GuestNotice,
  entityType: 'guest-notice',
  missing: 'No such notice.',
} as const;

export function listGuestNotices(
  { db }: Sql,
  { scope, ...paging }: Paging & { scope: Scope },
): Promise<Page<Answered>> {
  const notices = db
    .selectFrom('guest_notice')
    .selectAll()
    .where((eb) => inScopeOrChain(eb.ref('organizationId'), scope))
    .orderBy('position')
    .orderBy('id');

  return readPage(notices, paging);
}

export function getGuestNotice({ db }: Sql, id: number): Promise<Answered> {
  return db
    .selectFrom('guest_notice')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow(() => new Problem('not-found', { detail: NOTICE.missing }));
}

/** Creates a notice. Problems: validation (FUL-19), duplicate (code). */
export function createGuestNotice(
  deps: { db: Database },
  actor: Actor,
  input: NewGuestNotice,
  idempotency: Idempotency | null,
): Promise<Answered> {
  const { code, severity, ttlSeconds } = input;
  const none = {
    isActive: true,
    organizationId: null,
    activeFrom: null,
    activeTo: null,
    position: 0,
  };

  const fields = {
    code,
    severity,
    ttlSeconds,
    ...none,
    ...toColumns(input),
    ...validateTexts(input),
  };

  requireValid(fields);

  return commitOrderingEdit(deps, (tx) =>
    once(tx, idempotency, async () => {
      await requireNamedOrganization(tx, fields.organizationId);
      return getGuestNotice(tx, await createRow(tx, actor, NOTICE, fields));
    }),
  );
}

/** Changes a notice; the code is fixed. Problems: not-found, version-conflict, validation. */
export function editGuestNotice(
  deps: { db: Database },
  actor: Actor,
  id: number,
  { version, ...edit }: GuestNoticeEdit,
): Promise<Answered> {
  const { title, text } = edit;
  const fields = {
    ...toColumns(edit),
    ...(title === undefined ? {} : requiredTexts({ title }, { title: LONGEST.title }, 'words')),
    ...(text === undefined ? {} : requiredTexts({ text }, { text: LONGEST.text }, 'words')),
  };

  return commitOrderingEdit(deps, async (tx) => {
    await requireNamedOrganization(tx, edit.organizationId);
    await editRow(tx, actor, NOTICE, { id, version, fields, check: requireValid });
    return getGuestNotice(tx, id);
  });
}

export function deleteGuestNotice(deps: { db: Database }, actor: Actor, id: number): Promise<void> {
  return commitOrderingEdit(deps, (tx) => deleteRow(tx, actor, NOTICE, id));
}

const LONGEST = { title: 200, text: 2_000 };

const validateTexts = ({ title, text }: { title: string; text: string }) =>
  requiredTexts({ title, text }, LONGEST, 'words');

type Fields = Omit<GuestNoticeEdit, 'version'>;

function toColumns({
  severity,
  ttlSeconds,
  isActive,
  organizationId,
  activeFrom,
  activeTo,
  position,
}: Fields) {
  return omitUndefined({
    severity,
    ttlSeconds,
    isActive,
    organizationId,
    position,
    activeFrom: parseMoment(activeFrom),
    activeTo: parseMoment(activeTo),
  });
}

function requireValid(notice: {
  title: string;
  text: string;
  activeFrom: Date | null;
  activeTo: Date | null;
}): void {
  const errors = [
    ...templateErrors('title', notice.title),
    ...templateErrors('text', notice.text),
    ...periodErrors(notice),
  ];
  if (errors.length > 0) throw new Problem('validation', { errors });
}
