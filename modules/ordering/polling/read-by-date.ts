import type { ErpClient } from '../../../erp/client.ts';
import { isTooMuchData } from '../../../erp/failure.ts';
import type { ErpDelivery } from '../../../erp/schemas/deliveries.ts';
import type { AskTogether } from './ask-together.ts';

/** The ERP rejects requests for more than a day. */
export type Period = {
  organizationIds: string[];
  from: Temporal.Instant;
  to: Temporal.Instant;
  sourceKeys?: string[];
};

type Work = {
  apply: (orders: ErpDelivery[]) => Promise<void>;
  /** Called chronologically, after all organizations are read. */
  done: (to: Temporal.Instant) => Promise<void>;
};

const DAY = Temporal.Duration.from({ hours: 24 });
/** Shorter periods are split by organization. */
const SHORTEST_MS = 3_600_000;

/**
 * Reads orders day by day (rule ORD-101). Too large responses are split by time, down to an hour,
 * then by organization. Throws ERP client errors.
 */
export async function readByDate(
  erp: ErpClient,
  connectionId: number,
  { from, to, ...search }: Period,
  work: Work,
  ask: AskTogether,
): Promise<void> {
  for (let begin = from; Temporal.Instant.compare(begin, to) < 0; begin = begin.add(DAY)) {
    const end = begin.add(DAY);
    const period = { ...search, from: begin, to: Temporal.Instant.compare(end, to) < 0 ? end : to };
    await readPeriod(erp, connectionId, period, work, ask);
  }
}

async function readPeriod(
  erp: ErpClient,
  connectionId: number,
  period: Period,
  work: Work,
  ask: AskTogether,
): Promise<void> {
  const { from, to, organizationIds: organizationErpIds, ...search } = period;
  const request = { ...search, phone: null, from: wallClock(from), to: wallClock(to) };
  const answers = await ask(organizationErpIds, (organizationIds, options) =>
    erp
      .deliveriesByPhone(connectionId, { ...request, organizationIds }, options)
      .catch((error: unknown) => {
        if (isTooMuchData(error)) return error;
        throw error;
      }),
  );

  for (const { organizationErpIds: organizationIds, answer } of answers) {
    if ('orders' in answer) {
      await work.apply(answer.orders);
      continue;
    }

    const parts = splitPeriod({ ...period, organizationIds });
    if (parts === null) throw answer;

    for (const { isByTime, ...part } of parts) {
      const done = isByTime && answers.length === 1 ? work.done : async () => undefined;
      await readPeriod(erp, connectionId, part, { ...work, done }, ask);
    }
  }

  await work.done(to);
}

/** Null if the period cannot be split. */
function splitPeriod(period: Period): (Period & { isByTime: boolean })[] | null {
  const { from, to, organizationIds } = period;
  const lengthMs = to.epochMilliseconds - from.epochMilliseconds;
  if (lengthMs > SHORTEST_MS) {
    const middle = Temporal.Instant.fromEpochMilliseconds(
      from.epochMilliseconds + Math.round(lengthMs / 2),
    );
    return [
      { ...period, to: middle, isByTime: true },
      { ...period, from: middle, isByTime: true },
    ];
  }

  if (organizationIds.length < 2) return null;
  const half = Math.ceil(organizationIds.length / 2);

  return [organizationIds.slice(0, half), organizationIds.slice(half)].map((ids) => ({
    ...period,
    organizationIds: ids,
    isByTime: false,
  }));
}

const wallClock = (at: Temporal.Instant): Temporal.PlainDateTime =>
  at.toZonedDateTimeISO('UTC').toPlainDateTime();
