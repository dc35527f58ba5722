import type { Database } from '../../platform/db/database.ts';
import { statementName } from '../../platform/db/prepared.ts';

type Client = { query: (...sent: unknown[]) => unknown };

/** Includes `begin` and `commit`. */
export function countStatements(db: Pick<Database, 'pool'>): () => number {
  let count = 0;
  watchStatements(db, () => {
    count += 1;
  });
  return () => count;
}

export function unpreparedStatements(db: Pick<Database, 'pool'>): string[] {
  const texts: string[] = [];
  watchStatements(db, (text) => {
    if (statementName() === undefined) texts.push(String(text));
  });
  return texts;
}

function watchStatements({ pool }: Pick<Database, 'pool'>, onSent: (text: unknown) => void): void {
  const watched = new WeakSet<object>();
  pool.on('acquire', (client) => {
    if (watched.has(client)) return;
    watched.add(client);
    const watching = client as unknown as Client;
    const query = watching.query.bind(client);
    watching.query = (...sent) => {
      onSent(sent[0]);
      return query(...sent);
    };
  });
}
