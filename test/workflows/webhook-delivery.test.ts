import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { systemActor } from '../../kernel/actor.ts';
import { webhookQueues } from '../../kernel/pure/queues.ts';
import { startWorkflow } from '../../kernel/start-workflow.ts';
import { searchAttributes } from '../../platform/pure/search-attributes.ts';
import { dispatchWebhooks } from '../../modules/events/deliveries/dispatch-webhooks.ts';
import { replayEvents, retryDelivery } from '../../modules/events/deliveries/manage-deliveries.ts';
import {
  createEndpoint,
  editEndpoint,
  rotateEndpointSecret,
} from '../../modules/events/deliveries/manage-endpoints.ts';
import { webhookDeliveryWorkflow } from '../../modules/events/messages/webhooks.ts';
import { recordEvents } from '../../modules/events/record-events.ts';
import type { NewWebhookEndpoint } from '../../modules/events/schemas/webhooks.ts';
import { mirrorFixture, type TestFixture } from '../support/mirror.ts';
import { eventually } from '../support/processes.ts';
import { ago, deleteRows, fromNow, selectRow, selectRows, updateRows } from '../support/rows.ts';
import { syncWorker, type SyncWorker } from '../support/sync-worker.ts';
import { webhookReceiver } from '../support/webhook-receiver.ts';

const PACE = { pausesMs: [20, 60], warnMs: 60_000, giveUpMs: 60_000 };
const actor = systemActor('test');

let fixture: TestFixture;
let sync: SyncWorker;
let workers: { stop(): Promise<void> };
let isOver = false;
let dispatching: Promise<void>;
let pace = PACE;
const receivers: Awaited<ReturnType<typeof webhookReceiver>>[] = [];

beforeAll(async () => {
  fixture = await mirrorFixture();
  sync = await syncWorker(fixture, undefined, { WEBHOOK_PRIVATE_RECEIVERS: true });
  workers = await sync.start();
  dispatching = (async () => {
    while (!isOver) {
      await dispatchWebhooks(sync.product, pace);
      await delay(50);
    }
  })();
});
beforeEach(() => {
  pace = PACE;
});
afterEach(async () => {
  await deleteRows(fixture.db, 'webhook_endpoint');
  await deleteRows(fixture.db, 'notification');
  await Promise.all(receivers.splice(0).map((entry) => entry.close()));
});
afterAll(async () => {
  isOver = true;
  await dispatching;
  await workers.stop();
  await sync.close();
  await fixture.close();
});

const deps = () => ({ ...sync.product, allowsPrivateReceivers: true });
/** Imports of the fixture cause events of other types. */
async function subscribe(
  answer?: Parameters<typeof webhookReceiver>[0],
  rest: Partial<NewWebhookEndpoint> = {},
): Promise<{ receiver: (typeof receivers)[number]; id: number }> {
  const receiver = await webhookReceiver(answer);
  receivers.push(receiver);
  const { id, secret } = await createEndpoint(deps(), actor, {
    url: receiver.url,
    types: ['product.published', 'product.unpublished'],
    ...rest,
  });
  receiver.secret = secret;
  return { receiver, id };
}
const publish = (id: number, isPublished = true) =>
  isPublished
    ? recordEvents(fixture.db, 'product.published', [
        { id, organizationId: null, data: { productId: id } },
      ])
    : recordEvents(fixture.db, 'product.unpublished', [
        { id, organizationId: null, data: { productId: id, reason: null } },
      ]);
const accepted = (receiver: (typeof receivers)[number], count: number) =>
  eventually(`${count} events are accepted`, async () =>
    new Set(receiver.accepted.map(({ id }) => id)).size >= count ? receiver.accepted : undefined,
  );

describe('deliveries to webhook endpoints', () => {
  test('[EVT-8, EVT-11, EVT-12] a failing receiver gets each event, in order for each subject', async () => {
    let requests = 0;
    const { receiver } = await subscribe(() => {
      requests += 1;
      // Every outage lasts for a while, and single requests are cut.
      if (requests % 60 < 15) return 503;
      return Math.random() < 0.1 ? 'CUT' : 204;
    });
    const [subjects, rounds] = [12, 20];
    for (let round = 0; round < rounds; round += 1) {
      await Promise.all(
        Array.from({ length: subjects }, (_, at) => publish(at + 1, round % 2 === 0)),
      );
      if (round === rounds / 2) {
        await workers.stop();
        workers = await sync.start();
      }
    }
    const events = await accepted(receiver, subjects * rounds);

    expect(receiver.refused).toBe(0);
    for (const subject of new Set(events.map((event) => event.subject))) {
      const ids = [
        ...new Set(events.filter((event) => event.subject === subject).map(({ id }) => id)),
      ];
      expect(ids).toHaveLength(rounds);
      expect(ids).toEqual(ids.toSorted((a, b) => a - b));
    }
    expect(events.every(({ id, messageId }) => messageId === `evt_${id}`)).toBe(true);
  });

  test('[EVT-11, EVT-12] a silent receiver and a failing subject do not delay other deliveries', async () => {
    await subscribe(() => 'SILENT');
    const { receiver } = await subscribe(({ subject }) => (subject === 'product/1' ? 500 : 204));
    for (const id of [1, 2, 1, 3]) await publish(id);
    const events = await accepted(receiver, 2);

    expect(events.map(({ subject }) => subject).toSorted()).toEqual(['product/2', 'product/3']);
    receiver.answer = () => 204;
    await accepted(receiver, 4);
  });

  test('[EVT-9] a rotation of the secret rejects no message', async () => {
    const { receiver, id } = await subscribe();
    await publish(1);
    await accepted(receiver, 1);
    const { secret } = await rotateEndpointSecret(sync.product, actor, id);
    await publish(2);
    await accepted(receiver, 2);
    receiver.secret = secret;
    await publish(3);
    await accepted(receiver, 3);

    expect(receiver.refused).toBe(0);
    const { formerSecretUntil } = await selectRow(
      fixture.db,
      'webhook_endpoint',
      ['formerSecretUntil'],
      { id },
    );
    const hours = (formerSecretUntil!.getTime() - Date.now()) / 3_600_000;
    expect(hours).toBeGreaterThan(23.9);
    expect(hours).toBeLessThanOrEqual(24);
  });

  test('[EVT-9] a former secret expires after its time', async () => {
    const { receiver, id } = await subscribe();
    await rotateEndpointSecret(sync.product, actor, id);
    await updateRows(
      fixture.db,
      'webhook_endpoint',
      { formerSecretUntil: ago('1 second') },
      { id },
    );
    await publish(1);
    await eventually('the former secret is refused', async () =>
      receiver.refused > 0 ? true : undefined,
    );

    expect(receiver.accepted).toEqual([]);
  });

  test('[EVT-10] an answer 410 disables the endpoint, and enabling it delivers waiting events', async () => {
    const { receiver, id } = await subscribe(() => 410);
    await publish(1);
    const disabled = await eventually('the endpoint is disabled', async () => {
      const row = await selectRow(
        fixture.db,
        'webhook_endpoint',
        ['isEnabled', 'disabledReason', 'version'],
        { id },
      );
      return row.isEnabled ? undefined : row;
    });
    await publish(2);

    expect(disabled.disabledReason).toBe('GONE');
    expect(await selectRows(fixture.db, 'notification', ['kind', 'subjectId', 'details'])).toEqual([
      {
        kind: 'WEBHOOK_ENDPOINT_DISABLED',
        subjectId: String(id),
        details: { endpointId: id, reason: 'GONE' },
      },
    ]);
    receiver.answer = () => 204;
    await editEndpoint(deps(), actor, { id, version: disabled.version, isEnabled: true });
    await accepted(receiver, 2);
    expect((await selectRow(fixture.db, 'notification', ['resolvedAt'])).resolvedAt).not.toBeNull();
  });

  test('[EVT-10] three days of failures disable the endpoint', async () => {
    const { id } = await subscribe(() => 500);
    await publish(1);
    await eventually('an attempt has failed', async () => {
      const [row] = await selectRows(fixture.db, 'webhook_delivery', ['failingSince']);
      return row?.failingSince === null ? undefined : row;
    });
    await updateRows(fixture.db, 'webhook_delivery', { failingSince: ago('73 hours') });
    pace = { ...PACE, giveUpMs: 72 * 3_600_000 };
    const reason = await eventually('the endpoint is disabled', async () => {
      const { disabledReason } = await selectRow(
        fixture.db,
        'webhook_endpoint',
        ['disabledReason'],
        {
          id,
        },
      );
      return disabledReason ?? undefined;
    });
    expect(reason).toBe('FAILING');
  });

  test('[EVT-14] a retry and a replay deliver events again with the same id', async () => {
    const { receiver, id } = await subscribe();
    await publish(1);
    await publish(2);
    await accepted(receiver, 2);
    const [first] = await eventually('both are recorded', async () => {
      const rows = await selectRows(
        fixture.db,
        'webhook_delivery',
        ['id'],
        { isPending: false },
        { orderBy: 'id' },
      );
      return rows.length === 2 ? rows : undefined;
    });
    await retryDelivery(fixture.deps, actor, first!.id);
    await eventually('it is delivered again', async () =>
      receiver.accepted.length === 3 ? true : undefined,
    );
    const [from, to] = [new Date(Date.now() - 60_000), new Date(Date.now() + 60_000)];
    const { events } = await replayEvents(fixture.deps, actor, { id, from, to });

    expect(events).toBeGreaterThanOrEqual(2);
    await eventually('the range is delivered', async () =>
      receiver.accepted.length === 3 + events ? true : undefined,
    );
    expect(receiver.accepted[2]!.messageId).toBe(receiver.accepted[0]!.messageId);
  });

  test('[EVT-12] a terminated workflow is started again, and a long one continues as new', async () => {
    const { receiver, id } = await subscribe(() => 500);
    await publish(1);
    await eventually('an attempt has failed', async () =>
      receiver.requests > 0 ? true : undefined,
    );
    const workflowId = webhookDeliveryWorkflow.id({ endpointId: id });
    await sync.temporal.workflow.getHandle(workflowId).terminate('lost');
    await updateRows(
      fixture.db,
      'webhook_endpoint',
      { workedUntil: null, isEnabled: false },
      { id },
    );
    const { temporal, queues } = sync;
    await startWorkflow(
      { temporal, queues },
      webhookDeliveryWorkflow,
      {
        input: { endpointId: id, queues: webhookQueues(queues), pace: PACE, roundsPerRun: 2 },
        attributes: searchAttributes({ CarteCapability: 'events', CarteTrigger: 'EVENT' }),
      },
      'USE_EXISTING',
    );
    await updateRows(
      fixture.db,
      'webhook_endpoint',
      { isEnabled: true, workedUntil: fromNow('1 minute') },
      { id },
    );
    await updateRows(fixture.db, 'webhook_endpoint', { workedUntil: null }, { id });
    const before = receiver.requests;
    await eventually('the attempts go on', async () =>
      receiver.requests > before + 6 ? true : undefined,
    );
    receiver.answer = () => 204;
    await accepted(receiver, 1);

    const history = await sync.temporal.workflow.getHandle(workflowId).fetchHistory();
    expect(JSON.stringify(history)).not.toContain(receiver.url);
  });
});
