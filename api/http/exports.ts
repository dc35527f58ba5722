import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import { exportText, type ExportColumns, type ExportForm, type ExportFormat } from '../../kernel/exports.ts';
import { Problem } from '../../kernel/problem.ts';
import { normalPhone } from '../../modules/access/rules/phone.ts';
import { recordAudit } from '../../modules/access/audit/record-audit.ts';
import type { Deps } from '../deps.ts';
import type { UserActor } from './route.ts';

/** Exports of a process at once (rule HTTP-46); each keeps one connection of the pool busy. */
export const MOST_EXPORTS = 2;
/** Seconds after which a rejected export is tried again. */
const RETRY_SECONDS = '15';

/** Media types of exports by format. */
const MEDIA_TYPES: Readonly<Record<ExportFormat, string>> = { csv: 'text/csv', jsonl: 'application/x-ndjson' };

export type ExportRequest<Row> = {
  kind: string;
  /** Query parameters: the filters, and the form. */
  query: Partial<ExportForm>;
  headers: IncomingHttpHeaders;
  columns: ExportColumns<Row>;
  pages: AsyncIterable<readonly Row[]>;
};

/** Problem `busy` if the process has too many exports. */
export function requireFreeExport({ exports }: Pick<Deps, 'exports'>): void {
  if (exports.running >= MOST_EXPORTS)
    throw new Problem('busy', {
      detail: `This server runs ${MOST_EXPORTS} exports at once.`,
      headers: { 'Retry-After': RETRY_SECONDS },
    });
}

/**
 * Starts an export and returns its answer, a stream. The audit gets an entry before the first row
 * is sent, and one with the number of rows at the end (rule ACC-38). The stream fails if a page
 * cannot be read, which cuts the connection.
 *
 * @throws Problem `busy` if the process has too many exports; any problem of the first page.
 */
export async function startExport<Row>(
  { db, log, exports }: Pick<Deps, 'db' | 'log' | 'exports'>,
  actor: UserActor,
  { kind, query, headers, columns, pages }: ExportRequest<Row>,
) {
  requireFreeExport({ exports });
  const format = query.format ?? formatOf(headers.accept);
  const form = { format, separator: query.separator };
  const progress = { rows: 0 };
  const audit = (action: string, after: Record<string, unknown>) =>
    recordAudit(db, actor, { entityType: 'export', entityId: kind, action, after });

  let state: 'new' | 'begun' | 'whole' = 'new';
  const begin = async () => {
    if (state === 'new') await audit('begin', { format, filters: filtersOf(query) });
    state = 'begun';
  };
  async function* text(): AsyncGenerator<string> {
    try {
      // A chunk is sent when the next one was read, the last one when the audit has the entry.
      let last = '';
      for await (const chunk of exportText(columns, pages, form, progress)) {
        if (last !== '') {
          await begin();
          yield last;
        }
        last = chunk;
      }
      await begin();
      await audit('end', { rows: progress.rows, isWhole: true });
      state = 'whole';
      yield last;
    } catch (error) {
      if (state !== 'new') log.error({ err: error, kind, rows: progress.rows }, 'an export was cut off');
      throw error;
    } finally {
      exports.running -= 1;
      if (state === 'begun') await audit('end', { rows: progress.rows, isWhole: false });
    }
  }
  exports.running += 1;
  const chunks = text();
  const first = await chunks.next();
  const day = new Date().toISOString().slice(0, 10);
  return {
    status: 200 as const,
    // The type of the answer is that of its text.
    body: Readable.from(continued(first, chunks), { objectMode: false }) as unknown as string,
    mediaType: MEDIA_TYPES[format],
    headers: { 'Content-Disposition': `attachment; filename="${kind}-${day}.${format}"` },
  };
}

/** JSONL if the client accepts it by name, otherwise CSV. */
const formatOf = (accept = ''): ExportFormat => (/application\/(x-ndjson|jsonl)/.test(accept) ? 'jsonl' : 'csv');

/** The filters of a request as the audit shows them, without phones. */
const filtersOf = (query: object): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(query)
      .filter(([name]) => name !== 'format' && name !== 'separator')
      .map(([name, value]) => [
        name,
        typeof value === 'string' && normalPhone(value) !== null ? '[masked]' : (value as unknown),
      ]),
  );

/** A generator whose first result was read already. */
function continued(first: IteratorResult<string>, rest: AsyncGenerator<string>): AsyncIterableIterator<string> {
  let waiting: IteratorResult<string> | null = first;
  return {
    async next() {
      const result = waiting ?? (await rest.next());
      waiting = null;
      return result;
    },
    return: () => rest.return(undefined),
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
