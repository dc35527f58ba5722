import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import {
  exportText,
  type ExportColumns,
  type ExportForm,
  type ExportFormat,
} from '../../kernel/exports.ts';
import { Problem } from '../../kernel/problem.ts';
import { normalPhone } from '../../modules/access/rules/phone.ts';
import { recordAudit } from '../../modules/access/audit/record-audit.ts';
import type { Deps } from '../deps.ts';
import type { UserActor } from './route.ts';

/** Each export uses a connection of the pool (rule HTTP-46). */
export const MOST_EXPORTS = 2;
const RETRY_SECONDS = '15';

const MEDIA_TYPES: Readonly<Record<ExportFormat, string>> = {
  csv: 'text/csv',
  jsonl: 'application/x-ndjson',
};

export type ExportRequest<Row> = {
  kind: string;
  query: Partial<ExportForm>;
  headers: IncomingHttpHeaders;
  columns: ExportColumns<Row>;
  pages: AsyncIterable<readonly Row[]>;
};

/** Throws `busy` if the process has too many exports. */
export function requireFreeExport({ exports }: Pick<Deps, 'exports'>): void {
  if (exports.running >= MOST_EXPORTS)
    throw new Problem('busy', {
      detail: `This server runs ${MOST_EXPORTS} exports at once.`,
      headers: { 'Retry-After': RETRY_SECONDS },
    });
}

/**
 * Returns a streamed response, audited before the first row and after the last (rule ACC-38).
 * Cuts the connection if a page cannot be read.
 *
 * @throws Problem `busy`, or any problem of the first page.
 */
export async function startExport<Row>(
  { db, log, exports }: Pick<Deps, 'db' | 'log' | 'exports'>,
  actor: UserActor,
  { kind, query, headers, columns, pages }: ExportRequest<Row>,
) {
  requireFreeExport({ exports });
  const format = query.format ?? chooseFormat(headers.accept);
  const form = { format, separator: query.separator };
  const progress = { rows: 0 };
  const audit = (action: string, after: Record<string, unknown>) =>
    recordAudit(db, actor, { entityType: 'export', entityId: kind, action, after });

  let state: 'new' | 'begun' | 'whole' = 'new';
  const begin = async () => {
    if (state === 'new') await audit('begin', { format, filters: maskFilters(query) });
    state = 'begun';
  };

  async function* text(): AsyncGenerator<string> {
    try {
      // One chunk is delayed, so that the last is sent after the final audit entry.
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
      if (state !== 'new')
        log.error({ err: error, kind, rows: progress.rows }, 'an export was cut off');
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
    // The declared type is the type of text responses.
    body: Readable.from(continued(first, chunks), { objectMode: false }) as unknown as string,
    mediaType: MEDIA_TYPES[format],
    headers: { 'Content-Disposition': `attachment; filename="${kind}-${day}.${format}"` },
  };
}

/** Returns JSONL only if the client accepts it by name. */
const chooseFormat = (accept = ''): ExportFormat =>
  /application\/(x-ndjson|jsonl)/.test(accept) ? 'jsonl' : 'csv';

/** Returns the filters for the audit, without phones. */
const maskFilters = (query: object): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(query)
      .filter(([name]) => name !== 'format' && name !== 'separator')
      .map(([name, value]) => [
        name,
        typeof value === 'string' && normalPhone(value) !== null ? '[masked]' : (value as unknown),
      ]),
  );

function continued(
  first: IteratorResult<string>,
  rest: AsyncGenerator<string>,
): AsyncIterableIterator<string> {
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
