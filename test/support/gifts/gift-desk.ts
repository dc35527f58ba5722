import { orderWorkflow, type OrderPace } from '../../../modules/ordering/messages/ordering.ts';
import { CLEARINGS, giftRedemptionWorkflow } from '../../../modules/gifts/messages/gifts.ts';
import { randomUUID } from 'node:crypto';
import type { Client } from '@temporalio/client';
import { grantMarked } from '../../../modules/gifts/cards/apply-card.ts';
import { blockSubject } from '../../../modules/gifts/cards/cleared-marker.ts';
import { ensureClient } from '../../../modules/gifts/clients/clients.ts';
import { moveRights, reserveRights } from '../../../modules/gifts/rights/move-rights.ts';
import { wakeClearing } from '../../../modules/gifts/markers/start-clearing.ts';
import { orderQueues, type Queues } from '../../../kernel/pure/queues.ts';
import { appendOutbox } from '../../../kernel/outbox.ts';
import type { MarkerSource } from '../../../modules/gifts/rules/words.ts';
import type { SecretBox } from '../../../platform/secrets.ts';
import type { TemporalDeps } from '../../../kernel/start-workflow.ts';
import { testSecrets } from '../connection.ts';
import { readLoyalty } from '../erp-guests.ts';
import { menuRows } from '../menu-rows.ts';
import type { TestFixture } from '../mirror.ts';
import { orderDesk } from '../orders.ts';
import { eventually } from '../processes.ts';
import { GRANTER } from '../rights.ts';
import { selectRows } from '../rows.ts';

export const BLOCK = '[COMP]Тарт[/COMP]';
/** Phones that do not appear in the emulator's data. */
let phones = 79_990_200_000;

export async function giftDesk(
  fixture: Pick<TestFixture, 'db' | 'emulator' | 'connectionId'>,
  sync: { temporal: Client; queues: Queues; upkeep: TemporalDeps },
  secrets: SecretBox = testSecrets,
) {
  const program = await readLoyalty(fixture.emulator);
  const desk = await orderDesk(fixture, secrets);
  const rewardId = await menuRows(fixture.db).insert('reward', {
    code: 'tart',
    name: 'Тарт',
    erp_item_id: randomUUID(),
  });

  /** Adds a client with stored markers and one right per marker, in order. */
  async function promised(
    source: MarkerSource,
    card: { comment?: string; categoryIds?: string[] },
    count = 1,
  ) {
    const customerId = await program.put({ phone: `+${(phones += 1)}`, ...card });
    const { clientId, rights } = await fixture.db.transaction(async (tx) => {
      const keys = { connectionId: fixture.connectionId, erpCustomerId: customerId };
      const id = await ensureClient(tx, { secrets }, keys);
      const granted: string[] = [];
      for (let place = 0; place < count; place += 1) {
        // Equal blocks are numbered; a category appears only once.
        const [subject, generation] =
          source === 'ERP_COMMENT'
            ? [blockSubject('Тарт'), place + 1]
            : [card.categoryIds![place]!, 1];
        const marker = { subject, generation, source, clientId: id };
        const right = {
          erpCustomerId: customerId,
          rewardId,
          reasonCommentId: null,
          at: new Date(),
        };
        const compensationId = (await grantMarked(tx, GRANTER, { ...marker, ...right }))!;
        granted.push(compensationId);
        const row = {
          ...marker,
          compensationId,
          isPresent: true,
          seenAt: new Date(),
          goneAt: null,
        };
        await tx.db.insertInto('client_marker').values(row).execute();
      }
      return { clientId: id, rights: granted };
    });
    const clearing = async (right = rights[0]!) =>
      fixture.db.db
        .selectFrom('marker_clearing')
        .selectAll()
        .where('compensationId', '=', right)
        .executeTakeFirst();
    const id = CLEARINGS[source].id({ clientId });
    return {
      customerId,
      clientId,
      rights,
      right: rights[0]!,
      clearing,
      handle: () => sync.temporal.workflow.getHandle(id),
      ended: async () => {
        const handle = sync.temporal.workflow.getHandle(id);
        await handle.result();
        return handle;
      },
      wake: () => wakeClearing(sync.upkeep, { clientId, source }),
      card: () => program.read(customerId),
      redeem: () =>
        fixture.db.transaction((tx) =>
          moveRights(
            tx,
            GRANTER,
            { ids: [rights[0]!] },
            { move: 'IMPORT', orderId: randomUUID(), at: new Date() },
          ),
        ),
      /** Redeems each right by a separate order, the oldest first. */
      redeemAll: () =>
        fixture.db.transaction(async (tx) => {
          for (const [place, right] of rights.entries()) {
            const at = new Date(Date.now() - 1_000 * (rights.length - place));
            await moveRights(
              tx,
              GRANTER,
              { ids: [right] },
              { move: 'IMPORT', orderId: randomUUID(), at },
            );
          }
        }),
      isCleared: (right?: string) =>
        eventually('the marker is cleared', async () => {
          const row = await clearing(right);
          return row?.state === 'CLEARED' ? row : undefined;
        }),
      isHeld: (by: string) =>
        eventually(`the marker is held by ${by}`, async () => {
          const row = await clearing();
          return row?.state === 'HELD' && row.heldBy === by ? row : undefined;
        }),
      markers: async () =>
        (
          await fixture.db.db
            .selectFrom('client_marker')
            .select(['compensationId', 'isPresent'])
            .where('clientId', '=', clientId)
            .orderBy('generation')
            .execute()
        ).map(({ compensationId, isPresent }) => [rights.indexOf(compensationId!), isPresent]),
      conflicts: () =>
        selectRows(fixture.db, 'compensation_conflict', ['kind'], { clientId, closedAt: null }),
    };
  }

  /** Adds an order that reserves the right, and starts its workflow. */
  async function orderedWith({ right }: { right: string }) {
    const orderId = await desk.accepted({ isAnnounced: false });
    await fixture.db.transaction((tx) => reserveRights(tx, { orderId, rights: [right] }));
    const start = (pace: Partial<OrderPace> = {}) =>
      sync.temporal.workflow.start('order', {
        workflowId: orderWorkflow.id({ orderId }),
        taskQueue: sync.queues.workflows,
        args: [
          {
            orderId,
            gifts: [right],
            queues: orderQueues(sync.queues),
            pace: { sendMs: 50, lookMs: 30, longestLookMs: 100, ...pace },
          },
        ],
      });
    const announce = () =>
      fixture.db.transaction((tx) =>
        appendOutbox(tx, 'OrderAccepted', {
          orderId,
          organizationId: desk.organization.id,
          gifts: [right],
        }),
      );
    return {
      orderId,
      start,
      announce,
      gift: () =>
        sync.temporal.workflow.getHandle(
          giftRedemptionWorkflow.id({ orderId, compensationId: right }),
        ),
    };
  }

  const statusOf = async (right: string) =>
    (
      await fixture.db.db
        .selectFrom('compensation')
        .select('status')
        .where('id', '=', right)
        .executeTakeFirstOrThrow()
    ).status;

  return { ...program, desk, promised, orderedWith, statusOf };
}
