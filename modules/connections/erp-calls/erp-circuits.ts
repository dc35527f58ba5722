import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import {
  groupOfEndpoint,
  type Circuits,
  type EnteringRequest,
  type Passage,
} from '../../../erp/ports.ts';
import type { Database } from '../../../platform/db/database.ts';

/** Retry delay while another process probes the circuit. */
const PROBED_MS = 5_000;
/** Requests wait for short pauses here, which saves an attempt of their retry policy. */
const SHORT_MS = 1_000;

type Row = { isProbe: boolean; openMs: number | null; heldMs: number | null };

/**
 * Creates circuits stored in `erp_circuit` and `erp_hold`. One statement checks and reserves the
 * probe, so only one process probes.
 */
export function createErpCircuits({ db: { db } }: { db: Database }): Circuits {
  async function look({
    connectionId,
    endpoint,
    longestMs,
    isHurried = false,
  }: EnteringRequest): Promise<Row> {
    const group = groupOfEndpoint(endpoint);
    const { rows } = await sql<Row>`
      with hold as (
        select extract(epoch from until - now())::double precision * 1000 as ms from erp_hold
         where connection_id = ${connectionId} and endpoint = ${endpoint} and until > now()),
      probe as (
        update erp_circuit set probe_until = now() + ${longestMs} * interval '1 millisecond'
         where connection_id = ${connectionId} and endpoint_group = ${group} and open_until <= now()
           and (probe_until is null or probe_until <= now())
           and not exists (select 1 from hold)
           and not ${isHurried}::boolean
        returning 1)
      select exists (select 1 from probe) as is_probe, (select ms from hold) as held_ms,
             (select extract(epoch from open_until - now())::double precision * 1000
                from erp_circuit where connection_id = ${connectionId} and endpoint_group = ${group}) as open_ms`.execute(
      db,
    );

    const [row] = rows;
    if (row === undefined) throw new Error('a circuit cannot be read');

    return row;
  }

  function toPassage({ isProbe, openMs, heldMs }: Row): Passage {
    if (isProbe) return { state: 'PROBE' };
    if (openMs !== null) return { state: 'OPEN', leftMs: openMs > 0 ? openMs : PROBED_MS };
    return heldMs === null ? { state: 'FREE' } : { state: 'HELD', leftMs: heldMs };
  }

  return {
    async enter(request) {
      for (;;) {
        const passage = toPassage(await look(request));
        if (!('leftMs' in passage) || passage.leftMs > SHORT_MS) return passage;
        await delay(passage.leftMs);
      }
    },

    async open({ connectionId, group }, openMs) {
      await db
        .insertInto('erp_circuit')
        .values({
          connectionId,
          endpointGroup: group,
          openedAt: now,
          openUntil: later(openMs),
          openedTimes: 1,
        })
        .onConflict((conflict) =>
          conflict.columns(['connectionId', 'endpointGroup']).doUpdateSet((eb) => ({
            openedAt: eb.fn.coalesce('erp_circuit.openedAt', 'excluded.openedAt'),
            openUntil: eb.ref('excluded.openUntil'),
            probeUntil: null,
            openedTimes: eb('erp_circuit.openedTimes', '+', 1),
          })),
        )
        .execute();
    },

    async close({ connectionId, group }) {
      await db
        .updateTable('erp_circuit')
        .set({ openedAt: null, openUntil: null, probeUntil: null })
        .where('connectionId', '=', connectionId)
        .where('endpointGroup', '=', group)
        .execute();
    },

    async hold(connectionId, endpoint, ms) {
      await db
        .insertInto('erp_hold')
        .values({ connectionId, endpoint, until: later(ms) })
        .onConflict((conflict) =>
          conflict.columns(['connectionId', 'endpoint']).doUpdateSet({
            until: sql<Date>`greatest(erp_hold.until, excluded.until)`,
          }),
        )
        .execute();
    },
  };
}

const now = sql<Date>`now()`;
const later = (ms: number) => sql<Date>`now() + ${ms} * interval '1 millisecond'`;
