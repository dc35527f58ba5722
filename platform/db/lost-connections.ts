import type pg from 'pg';

/**
 * Removes a connection from the pool as soon as it has ended, even while it is in use. The query
 * builder returns only connections that it could roll back, which fails on a lost one: each loss in
 * the middle of a transaction would cost the process one slot permanently. Idle connections are
 * removed as well.
 */
export function returnLostConnections(pool: pg.Pool): void {
  const held = new Set<pg.PoolClient>();
  pool.on('acquire', (client) => void held.add(client));
  pool.on('release', (_error, client) => void held.delete(client));
  pool.on('connect', (client) => {
    client.once('end', () => {
      if (!held.has(client)) return;
      client.release(true);
      dropIdle(pool);
      // Its holder gives it back as well, and the driver takes the second time for a mistake.
      client.release = () => undefined;
    });
  });
}

/**
 * Closes idle connections: if one is silent the others usually are too, and each would be waited
 * for in turn.
 */
function dropIdle(pool: pg.Pool): void {
  for (let idle = pool.idleCount; idle > 0; idle -= 1)
    void pool.connect().then(
      (client) => client.release(true),
      // The pool has ended, or the server is away: there is nothing to drop.
      () => undefined,
    );
}
