import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { ErpFailure, isErpFailure, type ErpFailureKind } from '../../../erp/failure.ts';
import type { HeldToken, Refusal, TokenRequest, TokenStore } from '../../../erp/ports.ts';
import type { SecretBox } from '../../../platform/secrets.ts';
import type { Database } from '../../../platform/db/database.ts';
import { forgetRefusal, recordRefusal, reportRefusal, clearRefusals } from './refusals.ts';
import { untilAborted } from './erp-limiter.ts';

/** Encryption purposes. A text encrypted for another purpose cannot be decrypted with these. */
export const API_LOGIN_PURPOSE = 'connection.apiLogin';
export const TOKEN_PURPOSE = 'erp.token';

const ENDPOINT = '/api/v2/access_token';

export type TokenTimings = {
  /** Time since the token was requested. The ERP allows an hour (rule ERP-1). */
  lifeMs: number;
  /** Other callers continue after this time. The owner's request ends earlier. */
  leaseMs: number;
  /** Mean delay between reads of a waiting caller. */
  pollMs: number;
  /**
   * Time without attempts after a rejection, because retries may get the account blocked. A new
   * credential is tried at once.
   */
  restMs: number;
};

const TIMINGS: TokenTimings = {
  lifeMs: 55 * 60_000,
  leaseMs: 30_000,
  pollMs: 100,
  restMs: 30 * 60_000,
};

/** Statuses that mean a rejected credential. */
const REFUSING = new Set<unknown>([400, 401, 403]);

type Row = {
  refusals: Refusal[];
  isResting: boolean;
  apiLogin: string;
  token: string | null;
  generation: number | null;
  lifeLeftMs: number | null;
};

const NO_LEASE = { leaseOwner: null, leaseUntil: null } as const;

type Wanted = Pick<TokenRequest, 'rejected' | 'minimumLifeMs'>;
type Claim = { owner: string; claimedAt: Date };

/**
 * Stores encrypted tokens in `erp_token`. The caller that has the row's lease requests a token
 * outside of a transaction, and saves it only while it has the lease. Other callers wait for the
 * result. The lease expires after a crash. After a 401 for an old token, returns the newer token
 * without a request. Every request calls this first, so disabling a connection or its owner stops
 * requests at once. A rejected credential is not tried by any process until `restMs` have passed or
 * it is replaced.
 */
export function createErpTokenStore(options: {
  db: Database;
  secrets: SecretBox;
  timings?: Partial<TokenTimings>;
}): TokenStore {
  const { db, secrets } = options;
  const timings = { ...TIMINGS, ...options.timings };
  /** Requests of this process, whose callers share the result or failure. */
  const flights = new Map<number, Promise<HeldToken>>();

  async function read(connectionId: number): Promise<Row> {
    const row = await db.db
      .selectFrom('connection')
      .leftJoin('importable_connection as importable', 'importable.id', 'connection.id')
      .leftJoin('erp_token as token', 'token.connectionId', 'connection.id')
      .select((eb) => [
        'connection.status',
        'importable.id as importableId',
        'connection.apiLoginEncrypted as apiLogin',
        'token.tokenEncrypted as token',
        'token.generation',
        sql<
          number | null
        >`extract(epoch from ${eb.ref('token.expiresAt')} - now())::double precision * 1000`.as(
          'lifeLeftMs',
        ),
        sql<boolean>`coalesce(${eb.ref('token.refusedAt')} > now() - ${timings.restMs} * interval '1 millisecond', false)`.as(
          'isResting',
        ),
        sql<Refusal[]>`(select coalesce(
            json_agg(json_build_object('endpoint', endpoint, 'generation', generation, 'status', status)), '[]')
          from erp_refusal where connection_id = ${eb.ref('connection.id')})`.as('refusals'),
      ])
      .where('connection.id', '=', connectionId)
      .executeTakeFirst();
    if (row === undefined) throw noToken('NO_CONNECTION', 'there is no such connection');

    if (row.status !== 'ACTIVE') throw noToken('DISABLED', 'the connection is disabled');
    if (row.importableId === null)
      throw noToken('OWNER_INACTIVE', 'the owner of the connection is not active');

    return row;
  }

  /** Undefined if there is no usable token. Throws if the credential may not be tried now. */
  function usable(connectionId: number, row: Row, request: Wanted): HeldToken | undefined {
    const { token, generation, refusals } = row;
    const isWanted = token !== null && generation !== null && generation !== request.rejected;
    if (isWanted && (row.lifeLeftMs ?? 0) > (request.minimumLifeMs ?? 0))
      return { token: secrets.open(TOKEN_PURPOSE, connectionId, token), generation, refusals };
    if (row.isResting)
      throw noToken(
        'CREDENTIALS_REFUSED',
        'the credential was rejected and is not tried for a while',
      );

    return undefined;
  }

  /** Takes the lease. One statement checks and sets it. */
  async function claim(connectionId: number, request: Wanted): Promise<Claim | undefined> {
    const owner = randomUUID();
    const { rows } = await sql<{ claimedAt: Date }>`
      insert into erp_token as held (connection_id, lease_owner, lease_until)
      values (${connectionId}, ${owner}, now() + ${timings.leaseMs} * interval '1 millisecond')
      on conflict (connection_id) do update set lease_owner = excluded.lease_owner, lease_until = excluded.lease_until
        where (held.lease_until is null or held.lease_until <= now())
          and (held.refused_at is null or held.refused_at <= now() - ${timings.restMs} * interval '1 millisecond')
          and (held.token_encrypted is null or held.generation = ${request.rejected ?? null}
               or held.expires_at <= now() + ${request.minimumLifeMs ?? 0} * interval '1 millisecond')
      returning now() as claimed_at`.execute(db.db);

    const [row] = rows;

    return row === undefined ? undefined : { owner, claimedAt: row.claimedAt };
  }

  /** Undefined if another caller has the lease. */
  async function save(
    connectionId: number,
    lease: Claim,
    token: string,
  ): Promise<HeldToken | undefined> {
    return db.transaction(async (tx) => {
      const row = await tx.db
        .updateTable('erp_token')
        .set((eb) => ({
          tokenEncrypted: secrets.seal(TOKEN_PURPOSE, connectionId, token),
          generation: eb('generation', '+', 1),
          obtainedAt: lease.claimedAt,
          expiresAt: sql<Date>`${lease.claimedAt}::timestamptz + ${timings.lifeMs} * interval '1 millisecond'`,
          refusedAt: null,
          ...NO_LEASE,
        }))
        .where('connectionId', '=', connectionId)
        .where('leaseOwner', '=', lease.owner)
        .returning('generation')
        .executeTakeFirst();
      if (row === undefined) return undefined;

      const refusals = await clearRefusals(tx, connectionId);

      return { token, generation: row.generation, refusals };
    });
  }

  /**
   * Blocks a rejected credential and notifies administrators. Returns false if it was replaced
   * meanwhile.
   */
  async function rest(connectionId: number, { owner }: Claim, status: number): Promise<boolean> {
    return db.transaction(async (tx) => {
      const mine = await tx.db
        .updateTable('erp_token')
        .set({ refusedAt: sql<Date>`now()`, ...NO_LEASE })
        .where('connectionId', '=', connectionId)
        .where('leaseOwner', '=', owner)
        .returning('connectionId')
        .executeTakeFirst();
      if (mine !== undefined) await reportRefusal(tx, connectionId, { endpoint: ENDPOINT, status });

      return mine !== undefined;
    });
  }

  async function release(connectionId: number, { owner }: Claim): Promise<void> {
    await db.db
      .updateTable('erp_token')
      .set(NO_LEASE)
      .where('connectionId', '=', connectionId)
      .where('leaseOwner', '=', owner)
      .execute();
  }

  async function obtainUnder(
    lease: Claim,
    connectionId: number,
    request: TokenRequest,
  ): Promise<HeldToken | undefined> {
    try {
      const { apiLogin } = await read(connectionId);
      // Times out before the lease expires, so that two requests of a connection never overlap.
      const token = await request.obtain(
        secrets.open(API_LOGIN_PURPOSE, connectionId, apiLogin),
        AbortSignal.timeout(timings.leaseMs * 0.8),
      );

      return await save(connectionId, lease, token);
    } catch (error) {
      if (isErpFailure(error) && REFUSING.has(error.status)) {
        if (await rest(connectionId, lease, error.status ?? 0)) throw refusal(error);
        return undefined;
      }
      await release(connectionId, lease);

      throw (error as Error).name === 'TimeoutError' ? tookTooLong() : error;
    }
  }

  async function fly(connectionId: number, request: TokenRequest): Promise<HeldToken> {
    const deadline = Date.now() + 2 * timings.leaseMs;
    for (;;) {
      const lease = await claim(connectionId, request);
      const obtained =
        lease === undefined ? undefined : await obtainUnder(lease, connectionId, request);
      const heldToken = obtained ?? usable(connectionId, await read(connectionId), request);
      if (heldToken !== undefined) return heldToken;
      if (Date.now() > deadline) throw tookTooLong();
      await delay(timings.pollMs * (0.5 + Math.random()));
    }
  }

  return {
    async token(connectionId, request) {
      for (;;) {
        request.signal?.throwIfAborted();
        const heldToken = usable(connectionId, await read(connectionId), request);
        if (heldToken !== undefined) return heldToken;
        let flight = flights.get(connectionId);
        if (flight === undefined) {
          flight = fly(connectionId, request).finally(() => flights.delete(connectionId));
          flights.set(connectionId, flight);
        }

        // The request continues for other waiting callers.
        const brought = await untilAborted(flight, request.signal);
        // Returned even if it expires soon: requests for a longer lifetime might never end.
        if (brought.generation !== request.rejected) return brought;
      }
    },
    refused: (connectionId, refused) => recordRefusal(db, connectionId, refused),
    accepted: (connectionId, endpoint) => forgetRefusal(db, connectionId, endpoint),
  };
}

function noToken(kind: ErpFailureKind, description: string): ErpFailure {
  return new ErpFailure(kind, { endpoint: ENDPOINT, description });
}

function refusal({ status, message, correlationId }: ErpFailure): ErpFailure {
  return new ErpFailure('CREDENTIALS_REFUSED', {
    endpoint: ENDPOINT,
    status,
    correlationId,
    description: message,
  });
}

function tookTooLong(): ErpFailure {
  return new ErpFailure('TIMEOUT', { endpoint: ENDPOINT, description: 'no token in time' });
}
