import type { Database } from './text-database.ts';

type Client = { query: (...sent: unknown[]) => unknown };

/** Counts every statement that the connections of a database send from now on, `begin` and `commit` included. */
export function countStatements({ pool }: Pick<Database, 'pool'>): () => number {
  let count = 0;
  const watched = new WeakSet<object>();
  pool.on('acquire', (client) => {
    if (watched.has(client)) return;
    watched.add(client);
    const watching = client as unknown as Client;
    const query = watching.query.bind(client);
    watching.query = (...sent) => {
      count += 1;
      return query(...sent);
    };
  });
  return () => count;
}
