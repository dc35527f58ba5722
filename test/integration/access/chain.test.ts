import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { systemActor } from '../../../kernel/actor.ts';
import { recordAudit } from '../../../modules/access/audit/record-audit.ts';
import { hashEntry } from '../../../modules/access/audit/audit-chain.ts';
import { sealAudit } from '../../../modules/access/audit/seal-audit.ts';
import { verifyAudit } from '../../../modules/access/audit/verify-audit.ts';
import { createLog } from '../../../platform/log.ts';
import { asOwner } from '../../support/database-roles.ts';
import { migratedDatabase } from '../../support/database.ts';
import { holdTable } from '../../support/races.ts';
import { addRow, addRows } from '../../support/rows.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

let database: Awaited<ReturnType<typeof migratedDatabase>>;
let lines: { msg: string; position?: number; digest?: string }[];
beforeEach(async () => {
  database = await migratedDatabase();
  lines = [];
});
afterEach(() => database?.close());

const log = createLog({
  service: 'test',
  level: 'info',
  destination: { write: (line: string) => void lines.push(JSON.parse(line)) },
});
/** Seals new entries as the former release did. */
async function sealAsBefore(): Promise<void> {
  const entries = await database.db.query<{ id: number; text: string }>(
    `select id, jsonb_build_array(id, (extract(epoch from at) * 1000000)::bigint, actor_type, actor_id, entity_type, entity_id, action,
            before, after, reason, request_id)::text as text
       from audit_entry where id not in (select entry_id from audit_seal) order by id`,
  );
  let { position, digest } = (await verifyAudit(database.db)).end;
  for (const { id, text } of entries) {
    position += 1;
    digest = hashEntry(Buffer.from(digest, 'hex'), text).toString('hex');
    await addRow(database.db, 'audit_seal', {
      position,
      entryId: id,
      digest: Buffer.from(digest, 'hex'),
    });
  }
}
const seal = () => sealAudit({ db: database.db, log });
async function change(times = 1): Promise<void> {
  for (let count = 0; count < times; count += 1)
    await recordAudit(database.db, systemActor('test'), {
      entityType: 'product',
      entityId: count,
      action: 'update',
      before: { name: 'Тарт', price: 10.5, tags: ['a', null] },
      after: { name: 'Суп «Том-ям» 🍜', price: 1e21 },
      reason: 'why not?',
    });
}
/** The owner of the tables can bypass the triggers that reject changes. */
const tamper = (statement: string) =>
  asOwner(
    database.db,
    `set session_replication_role = replica; ${statement}; set session_replication_role = origin`,
  );

describe('[ACC-22] the hash chain of the audit', () => {
  test('seals each entry once, also late commits, and verifies in a session with other settings', async () => {
    await change(3);
    await seal();
    const late = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    const slow = database.db.transaction(async (tx) => {
      await recordAudit(tx, systemActor('slow'), {
        entityType: 'product',
        entityId: 1,
        action: 'update',
      });
      begun.resolve();
      await late.promise;
    });
    await begun.promise;
    await change(2);
    const before = await seal();
    late.resolve();
    await slow;
    const after = await seal();
    const again = await seal();
    const { end, fault } = await database.db.transaction(async (tx) => {
      await tx.query(
        `set local timezone = 'Asia/Vladivostok'; set local datestyle = 'German'; set local bytea_output = 'escape'`,
      );
      return verifyAudit(tx);
    });

    expect([before, after, again]).toEqual([{ sealed: 2 }, { sealed: 1 }, { sealed: 0 }]);
    expect(fault).toBeNull();
    expect(end.position).toBe(6);
    const told = lines
      .filter(({ msg }) => msg === 'audit sealed')
      .map(({ position, digest }) => ({ position, digest }));
    expect(told.map(({ position }) => position)).toEqual([3, 5, 6]);
    expect(told.at(-1)).toEqual(end);
    for (const expected of told)
      expect(await verifyAudit(database.db, expected as typeof end)).toMatchObject({ fault: null });
  });

  test('[CMP-107] stays intact while processes of the former release also seal entries', async () => {
    await change(2);
    await sealAsBefore();
    await change();
    await seal();
    await change();
    await sealAsBefore();
    const whole = await verifyAudit(database.db);
    await tamper(`update audit_entry set reason = 'another' where id = 1`);

    expect(whole).toMatchObject({ end: { position: 4 }, fault: null });
    expect((await verifyAudit(database.db)).fault).toMatchObject({ what: 'CHANGED', position: 1 });
  });

  test('concurrent calls seal each entry once, and none fails', async () => {
    await change(20);
    const held = await holdTable(database.db, 'audit_seal');
    const calls = [seal(), seal(), seal(), seal()];
    await held.waits(4);
    await held.release();
    const counts = (await Promise.all(calls)).map(({ sealed }) => sealed);

    expect(counts.toSorted((a, b) => a - b)).toEqual([0, 0, 0, 20]);
    expect(await verifyAudit(database.db)).toMatchObject({ end: { position: 20 }, fault: null });
  });

  test('continues over more entries than one transaction takes', async () => {
    const entry = { actorType: 'SYSTEM', entityType: 'product', action: 'update' } as const;
    const entries = Array.from({ length: 2500 }, (_, at) => ({
      ...entry,
      entityId: String(at + 1),
    }));
    await addRows(database.db, 'audit_entry', entries);

    expect(await seal()).toEqual({ sealed: 2500 });
    expect(await verifyAudit(database.db)).toMatchObject({ end: { position: 2500 }, fault: null });
  });

  test.each([
    [
      'a reason that was changed',
      `update audit_entry set reason = 'another' where id = 2`,
      'CHANGED',
      2,
    ],
    [
      'a time that was changed',
      `update audit_entry set at = at - interval '1 microsecond' where id = 2`,
      'CHANGED',
      2,
    ],
    [
      'a value that was changed',
      `update audit_entry set after = jsonb_set(after, '{price}', '1') where id = 2`,
      'CHANGED',
      2,
    ],
    [
      'an author that was changed',
      'update audit_entry set actor_id = 1 where id = 2',
      'CHANGED',
      2,
    ],
    [
      'a process that was renamed',
      `update audit_entry set actor_name = 'x' where id = 2`,
      'CHANGED',
      2,
    ],
    [
      'other words of a reason',
      'update audit_entry set reason_id = gen_random_uuid() where id = 2',
      'CHANGED',
      2,
    ],
    [
      'a seal that claims to cover less',
      'update audit_seal set form = 1 where entry_id = 2',
      'CHANGED',
      2,
    ],
    ['an entry that was taken out', 'delete from audit_entry where id = 2', 'MISSING', 2],
    [
      'an entry with its seal',
      'delete from audit_seal where entry_id = 2; delete from audit_entry where id = 2',
      'MISSING',
      2,
    ],
    [
      'a digest that was changed',
      `update audit_seal set digest = sha256('x') where entry_id = 2`,
      'CHANGED',
      2,
    ],
    [
      'an entry that was slipped in',
      `insert into audit_entry (at, actor_type, entity_type, entity_id, action) values (now() - interval '2 days', 'SYSTEM', 'user', '1', 'x')`,
      'UNSEALED',
      4,
    ],
  ])('shows %s', async (_what, statement, what, position) => {
    await change(3);
    await seal();
    await tamper(statement);
    await seal();

    expect((await verifyAudit(database.db)).fault).toMatchObject({ what, position });
  });

  test('reports a cut or rebuilt chain that does not match the end stored elsewhere', async () => {
    await change(3);
    await seal();
    const { end } = await verifyAudit(database.db);
    await tamper('delete from audit_seal; delete from audit_entry where id = 3');
    const cut = await verifyAudit(database.db, end);
    await seal();
    const shorter = await verifyAudit(database.db, end);
    await change();
    await seal();
    const other = await verifyAudit(database.db, end);

    expect([cut, shorter, other].map(({ fault }) => fault?.what)).toEqual([
      'SHORTER',
      'SHORTER',
      'OTHER',
    ]);
    // The chain itself is intact: only an external copy reveals the loss.
    expect((await verifyAudit(database.db)).fault).toBeNull();
  });

  test('ends the verification command with 1 when it is broken', async () => {
    await change(2);
    await seal();
    const run = (...options: string[]) => {
      const { status, stdout, stderr } = spawnSync(
        process.execPath,
        ['tools/audit-verify.ts', ...options],
        {
          cwd: root,
          encoding: 'utf8',
          env: { ...process.env, DATABASE_URL: database.url },
        },
      );
      return { status, said: stdout === '' ? stderr : (JSON.parse(stdout) as object) };
    };
    const { end } = await verifyAudit(database.db);
    const whole = run('--expect', `2:${end.digest}`);
    const wrong = run('--expect', 'two');
    await tamper(`update audit_entry set action = 'another' where id = 1`);
    const broken = run();

    expect(whole).toEqual({ status: 0, said: { ...end, fault: null } });
    expect(wrong).toEqual({
      status: 1,
      said: expect.stringContaining('The only option is --expect'),
    });
    expect(broken).toMatchObject({
      status: 1,
      said: { position: 0, fault: { what: 'CHANGED', position: 1, entryId: 1 } },
    });
  });

  test('denies update and delete of sealed entries', async () => {
    await change();
    await seal();
    for (const statement of [
      `update audit_seal set digest = ''`,
      'delete from audit_seal',
      'truncate audit_seal',
    ])
      await expect(asOwner(database.db, statement)).rejects.toMatchObject({ code: '23001' });
  });
});
