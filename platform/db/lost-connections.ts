import type pg from 'pg';

/**
 * Removes ended connections from the pool, even while they are in use. The query builder releases
 * only connections that it could roll back, which fails on a lost one: each loss in a transaction
 * would permanently cost one slot.
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
      // The user releases it as well, and the driver treats the second release as an error.
      client.release = () => undefined;
    });
  });
}

/**
 * Closes idle connections: if one is silent, the others usually are too, and callers would wait for
 * each in turn.
 */
function dropIdle(pool: pg.Pool): void {
  for (let idle = pool.idleCount; idle > 0; idle -= 1)
    void pool.connect().then(
      (client) => client.release(true),
      // The pool has ended or the server is unavailable: there is nothing to close.
      () => undefined,
    );
}
