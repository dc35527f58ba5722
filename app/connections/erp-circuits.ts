import { setTimeout as delay } from 'node:timers/promises';
import type { Circuits, Passage } from '../../erp/ports.ts';
import type { Database } from '../database.ts';

/** Whoever finds another process trying the circuit comes back after this time. */
const PROBED_MS = 5_000;
/** A rest this short is waited for here: an attempt of a retry policy is worth more. */
const SHORT_MS = 1_000;

type Row = { isProbe: boolean; openMs: number | null; heldMs: number | null };

/**
 * The circuits in `erp_circuit` and the waiting times in `erp_hold`. Check and claim of the one probe are one statement: of two
 * processes the second finds the first one's claim.
 */
export function createErpCircuits({ db }: { db: Database }): Circuits {
  async function look(connectionId: number, endpoint: string, longestMs: number): Promise<Row> {
    const [row] = await db.query<Row>(
      `with hold as (
         select extract(epoch from until - now())::double precision * 1000 as ms from erp_hold
          where connection_id = $1 and endpoint = $2 and until > now()),
       probe as (
         update erp_circuit set probe_until = now() + $3 * interval '1 millisecond'
          where connection_id = $1 and open_until <= now() and (probe_until is null or probe_until <= now())
            and not exists (select 1 from hold)
         returning 1)
       select exists (select 1 from probe) as "isProbe", (select ms from hold) as "heldMs",
              (select extract(epoch from open_until - now())::double precision * 1000
                 from erp_circuit where connection_id = $1) as "openMs"`,
      [connectionId, endpoint, longestMs],
    );
    if (row === undefined) throw new Error('a circuit cannot be read');
    return row;
  }

  function passageOf({ isProbe, openMs, heldMs }: Row): Passage {
    if (isProbe) return { state: 'PROBE' };
    if (openMs !== null) return { state: 'OPEN', leftMs: openMs > 0 ? openMs : PROBED_MS };
    return heldMs === null ? { state: 'FREE' } : { state: 'HELD', leftMs: heldMs };
  }

  return {
    async enter(request) {
      for (;;) {
        const passage = passageOf(await look(request.connectionId, request.endpoint, request.longestMs));
        if (!('leftMs' in passage) || passage.leftMs > SHORT_MS) return passage;
        await delay(passage.leftMs);
      }
    },

    async open(connectionId, openMs) {
      await db.query(
        `insert into erp_circuit as circuit (connection_id, opened_at, open_until, opened_times)
         values ($1, now(), now() + $2 * interval '1 millisecond', 1)
         on conflict (connection_id) do update
           set opened_at = coalesce(circuit.opened_at, excluded.opened_at), open_until = excluded.open_until,
               probe_until = null, opened_times = circuit.opened_times + 1`,
        [connectionId, openMs],
      );
    },

    async close(connectionId) {
      await db.query(
        'update erp_circuit set opened_at = null, open_until = null, probe_until = null where connection_id = $1',
        [connectionId],
      );
    },

    async hold(connectionId, endpoint, ms) {
      await db.query(
        `insert into erp_hold as hold (connection_id, endpoint, until)
         values ($1, $2, now() + $3 * interval '1 millisecond')
         on conflict (connection_id, endpoint) do update set until = greatest(hold.until, excluded.until)`,
        [connectionId, endpoint, ms],
      );
    },
  };
}
