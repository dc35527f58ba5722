import type pg from 'pg';

/**
 * Removes ended connections from the pool, even while in use: the query builder releases only
 * connections that it could roll back.
 */
export function returnLostConnections(pool: pg.Pool): void {
  const clients = new Set<pg.PoolClient>();
  pool.on('acquire', (client) => void clients.add(client));
  pool.on('release', (_error, client) => void clients.delete(client));
  pool.on('connect', (client) => {
    client.once('end', () => {
      if (!clients.has(client)) return;
      client.release(true);
      dropIdle(pool);
      // The driver rejects a second release.
      client.release = () => undefined;
    });
  });
}

/** The others are usually silent too, and callers would wait for each in turn. */
function dropIdle(pool: pg.Pool): void {
  for (let idle = pool.idleCount; idle > 0; idle -= 1)
    void pool.connect().then(
      (client) => client.release(true),
      // The pool has ended or the server is unavailable.
      () => undefined,
    );
}
