import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { ErpFailure } from '../../erp/failure.ts';
import type { HeldToken, TokenRequest, TokenStore } from '../../erp/ports.ts';
import type { SecretBox } from '../../platform/secrets.ts';
import type { Database } from '../database.ts';
import { API_LOGIN_PURPOSE } from './create-connection.ts';
import { untilAborted } from './until-aborted.ts';

const TOKEN_PURPOSE = 'erp.token';
const ENDPOINT = '/api/v2/access_token';

export type TokenTimings = {
  /** How long a token is used after it was asked for; the ERP gives it an hour (spec 2, Authentication 2). */
  lifeMs: number;
  /** How long one holder may take before others go on; its request is ended earlier. */
  leaseMs: number;
  /** Mean pause between two looks of a waiter. */
  pollMs: number;
};

const TIMINGS: TokenTimings = { lifeMs: 55 * 60_000, leaseMs: 30_000, pollMs: 100 };

type Row = {
  status: string;
  apiLogin: string;
  token: string | null;
  generation: number | null;
  lifeLeftMs: number | null;
};
type Wanted = Pick<TokenRequest, 'rejected' | 'minimumLifeMs'>;
type Claim = { owner: string; claimedAt: Date };

/**
 * Tokens of all connections in the table `erp_token`, encrypted. Whoever needs a new one takes the lease of the row in
 * one statement, asks the ERP with no transaction open, and saves the token only while the lease is still its own.
 * Everybody else, in this process or another, waits for that result. A holder that dies is succeeded when its lease
 * ends. A 401 for a generation that is no longer stored asks nobody: the newer token is handed out.
 */
export function createErpTokenStore(options: {
  db: Database;
  secrets: SecretBox;
  timings?: Partial<TokenTimings>;
}): TokenStore {
  const { db, secrets } = options;
  const timings = { ...TIMINGS, ...options.timings };
  /** One flight per connection and process: callers of this process share its result and its failure. */
  const flights = new Map<number, Promise<HeldToken>>();

  async function read(connectionId: number): Promise<Row> {
    const [row] = await db.query<Row>(
      `select connection.status, connection.api_login_encrypted as "apiLogin", token.token_encrypted as token,
              token.generation, extract(epoch from token.expires_at - now())::double precision * 1000 as "lifeLeftMs"
         from connection left join erp_token token on token.connection_id = connection.id where connection.id = $1`,
      [connectionId],
    );
    if (row === undefined) throw noToken('there is no such connection');
    if (row.status !== 'ACTIVE') throw noToken('the connection is disabled');
    return row;
  }

  function usable(row: Row, wanted: Wanted): HeldToken | undefined {
    if (row.token === null || row.generation === null || row.generation === wanted.rejected) return undefined;
    if ((row.lifeLeftMs ?? 0) <= (wanted.minimumLifeMs ?? 0)) return undefined;
    return { token: secrets.open(TOKEN_PURPOSE, row.token), generation: row.generation };
  }

  /** Takes the lease when it is free and a token is still wanted: check and claim are one statement. */
  async function claim(connectionId: number, wanted: Wanted): Promise<Claim | undefined> {
    const owner = randomUUID();
    const [row] = await db.query<{ claimedAt: Date }>(
      `insert into erp_token as held (connection_id, lease_owner, lease_until)
       values ($1, $2, now() + $3 * interval '1 millisecond')
       on conflict (connection_id) do update set lease_owner = excluded.lease_owner, lease_until = excluded.lease_until
         where (held.lease_until is null or held.lease_until <= now())
           and (held.token_encrypted is null or held.generation = $4
                or held.expires_at <= now() + $5 * interval '1 millisecond')
       returning now() as "claimedAt"`,
      [connectionId, owner, timings.leaseMs, wanted.rejected ?? null, wanted.minimumLifeMs ?? 0],
    );
    return row === undefined ? undefined : { owner, claimedAt: row.claimedAt };
  }

  /** Stores the token and gives the lease back; undefined when the lease had passed to another in the meantime. */
  async function save(
    connectionId: number,
    { owner, claimedAt }: Claim,
    token: string,
  ): Promise<HeldToken | undefined> {
    const [row] = await db.query<{ generation: number }>(
      `update erp_token set token_encrypted = $3, generation = generation + 1, obtained_at = $4,
              expires_at = $4::timestamptz + $5 * interval '1 millisecond', lease_owner = null, lease_until = null
        where connection_id = $1 and lease_owner = $2 returning generation`,
      [connectionId, owner, secrets.seal(TOKEN_PURPOSE, token), claimedAt, timings.lifeMs],
    );
    return row === undefined ? undefined : { token, generation: row.generation };
  }

  async function release(connectionId: number, { owner }: Claim): Promise<void> {
    await db.query(
      'update erp_token set lease_owner = null, lease_until = null where connection_id = $1 and lease_owner = $2',
      [connectionId, owner],
    );
  }

  async function obtainUnder(
    lease: Claim,
    connectionId: number,
    request: TokenRequest,
  ): Promise<HeldToken | undefined> {
    try {
      const { apiLogin } = await read(connectionId);
      // Ended before the lease is, so that two requests of one connection can never overlap.
      const token = await request.obtain(
        secrets.open(API_LOGIN_PURPOSE, apiLogin),
        AbortSignal.timeout(timings.leaseMs * 0.8),
      );
      return await save(connectionId, lease, token);
    } catch (error) {
      await release(connectionId, lease);
      throw (error as Error).name === 'TimeoutError' ? tookTooLong() : error;
    }
  }

  async function fly(connectionId: number, request: TokenRequest): Promise<HeldToken> {
    const deadline = Date.now() + 2 * timings.leaseMs;
    for (;;) {
      const lease = await claim(connectionId, request);
      const obtained = lease === undefined ? undefined : await obtainUnder(lease, connectionId, request);
      const held = obtained ?? usable(await read(connectionId), request);
      if (held !== undefined) return held;
      if (Date.now() > deadline) throw tookTooLong();
      await delay(timings.pollMs * (0.5 + Math.random()));
    }
  }

  return {
    async token(connectionId, request) {
      for (;;) {
        request.signal?.throwIfAborted();
        const held = usable(await read(connectionId), request);
        if (held !== undefined) return held;
        let flight = flights.get(connectionId);
        if (flight === undefined) {
          flight = fly(connectionId, request).finally(() => flights.delete(connectionId));
          flights.set(connectionId, flight);
        }
        // The flight goes on when one of its waiters gives up: others may wait for it.
        const brought = await untilAborted(flight, request.signal);
        // Whatever its life: asking again for a longer one would only ask the ERP for ever.
        if (brought.generation !== request.rejected) return brought;
      }
    },
  };
}

function noToken(description: string): ErpFailure {
  return new ErpFailure('NO_TOKEN', { endpoint: ENDPOINT, description });
}

function tookTooLong(): ErpFailure {
  return new ErpFailure('TIMEOUT', { endpoint: ENDPOINT, description: 'no token in time' });
}
