import type { Client } from '@temporalio/client';
import { sql } from 'kysely';
import { ENCRYPTED_COLUMNS } from '../../modules/rotate-secrets.ts';
import type { SecretBox } from '../../platform/secrets.ts';
import type { Product } from './product.ts';
import type { TraceReceiver } from './trace-receiver.ts';
import { tablesWith } from './whole-schema.ts';

/** Outputs and stores that must not contain a guest's words as plain text. */
export type Sinks = {
  temporal: string[];
  logs: string[];
  metrics: string[];
  traces: string[];
  tables: string[];
  /** Encrypted columns are the only allowed location. */
  encrypted: string[];
};

export async function sinksWith(
  words: readonly string[],
  {
    product,
    temporal,
    secrets,
    opsUrls,
    traces,
  }: {
    product: Product;
    temporal: Client;
    secrets: SecretBox;
    opsUrls: string[];
    traces: TraceReceiver;
  },
): Promise<Sinks> {
  const has = (text: string): boolean =>
    words.some((word) => text.includes(word) || text.includes(JSON.stringify(word).slice(1, -1)));
  const holding = (line: string): string[] => (has(line) ? [line.slice(0, 300)] : []);
  const metrics = await Promise.all(
    opsUrls.map(async (url) => (await fetch(`${url}/metrics`)).text()),
  );
  return {
    temporal: await executionsWith(temporal, has),
    logs: product.logs().split('\n').flatMap(holding),
    metrics: metrics.flatMap((text) => text.split('\n')).flatMap(holding),
    traces: [
      ...(traces.spans().length === 0 ? ['no span was looked at'] : []),
      ...tracesWith(traces, has),
    ],
    tables: await tablesWith(product.db, has),
    encrypted: await encryptedWith(product, secrets, has),
  };
}

function tracesWith(traces: TraceReceiver, has: (text: string) => boolean): string[] {
  return traces.spans().flatMap((span) => (has(JSON.stringify(span)) ? [span.name] : []));
}

export async function executionsWith(
  temporal: Client,
  has: (text: string) => boolean,
): Promise<string[]> {
  const found: string[] = [];
  let seen = 0;
  for await (const listed of temporal.workflow.list()) {
    seen += 1;
    const handle = temporal.workflow.getHandle(listed.workflowId, listed.runId);
    const { raw, memo, typedSearchAttributes } = await handle.describe();
    const details = await handle
      .query<unknown, []>('__temporal_workflow_metadata')
      .catch(() => null);
    const everything = [
      listed.workflowId,
      ...listTexts(await handle.fetchHistory()),
      ...listTexts(raw),
      JSON.stringify([memo, typedSearchAttributes, details]),
    ];
    if (everything.some(has)) found.push(listed.workflowId);
  }
  return seen === 0 ? ['no execution was looked at'] : found;
}

/** Extracts all texts of a Temporal message, in which payloads are bytes. */
function listTexts(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (value instanceof Uint8Array) return [Buffer.from(value).toString('utf8')];
  return value !== null && typeof value === 'object' ? Object.values(value).flatMap(listTexts) : [];
}

async function encryptedWith(
  { db }: Product,
  secrets: SecretBox,
  has: (text: string) => boolean,
): Promise<string[]> {
  const found: string[] = [];
  for (const { table, key, column, purpose } of ENCRYPTED_COLUMNS) {
    const { rows } = await sql<{ key: string; sealed: string | null }>`
      select ${sql.ref(key)} as key, ${sql.ref(column)} as sealed from ${sql.table(table)} where ${sql.ref(column)} is not null`.execute(
      db.db,
    );
    if (rows.some((row) => has(secrets.open(purpose, row.key, row.sealed!))))
      found.push(`${table}.${column}`);
  }
  return found;
}
