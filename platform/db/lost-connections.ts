import type pg from 'pg';

/**
 * Gives the place of a connection in the pool free as soon as the connection has ended, whoever
 * holds it. The query builder gives back only what it could begin and roll back, and nothing can be
 * rolled back on a connection that is gone: each loss in the middle of a transaction would cost the
 * process one place for ever. Those that nobody uses go with it.
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
