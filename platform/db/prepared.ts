import { finished, Stream } from 'node:stream';
import type { Socket } from 'node:net';
import { SelectModifierNode, RawNode, type KyselyPlugin, type RootOperationNode } from 'kysely';
import pg from 'pg';
import { currentTracer } from '../tracing.ts';

/** Stands at the end of a statement that every connection prepares. */
const MARK = '/* prepared */';
/** Texts that differ with every request would fill the memory of each connection; more than these are sent as they are. */
const MOST = 300;
/** PostgreSQL: a migration has given the columns of a prepared statement other types. */
export const RESULT_TYPE_CHANGED = '0A000';

/** Names of prepared statements by their text; null for a text that is not prepared. */
const names = new Map<string, string | null>();

/** False for `select *`: a column that a migration adds would change its result, and make it fail. */
const namesItsColumns = (text: string): boolean => !/(?:select|\.) ?\*/.test(text);

function nameOf(text: string): string | null {
  const known = names.get(text);
  if (known !== undefined) return known;
  const name = names.size < MOST && namesItsColumns(text) ? `carte_${names.size}` : null;
  if (names.size < MOST) names.set(text, name);
  return name;
}

/**
 * A connection that prepares marked statements: PostgreSQL reads and plans each of them once and not with every request (decision 56).
 * When a migration has changed the types of its columns, a statement fails once with 0A000 and is not prepared any more.
 *
 * It also gives itself up when the server has not answered for as long as a statement may take and `graceMs` more (decision 64): a network that drops
 * packets tells nobody, and whoever waits would wait for ever, with a connection of the pool. Their error is that of a lost connection.
 * What allows statements more time at the server, for a transaction or from then on, allows it here too.
 */
export class PreparingClient extends pg.Client {
  readonly #graceMs: number | undefined;
  #allowedMs: number;
  /** Of the transaction that is open. */
  #allowedNowMs: number | null = null;
  /** Bytes that had come when the last statement was sent. */
  #heardBefore = -1;

  constructor(config?: pg.ClientConfig & { graceMs?: number }) {
    super(config);
    this.#graceMs = config?.graceMs;
    this.#allowedMs = Number(config?.statement_timeout || 0);
  }

  // The driver takes statements in many shapes; the query builder sends a text and a list.
  // oxlint-disable-next-line typescript/no-explicit-any -- the driver declares eight signatures, from nothing to a promise; only `any` fits all
  override query(...sent: unknown[]): any {
    const [text, values] = sent as [unknown, unknown];
    this.#heardBefore = this.#socket.bytesRead;
    if (typeof text === 'string') this.#heed(text);
    const name = typeof text === 'string' && Array.isArray(values) && text.endsWith(MARK) ? nameOf(text) : null;
    if (name === null) return this.#patiently(sent);
    const answer = this.#patiently([{ name, text, values }]) as Promise<unknown>;
    return answer.catch((error: unknown) => {
      if ((error as { code?: unknown }).code === RESULT_TYPE_CHANGED) names.set(text as string, null);
      throw error;
    });
  }

  /** What the driver answers to a statement in any of its shapes: a promise, a stream, or nothing where a callback is told. */
  #patiently(sent: readonly unknown[]): unknown {
    const allowedMs = this.#allowedNowMs ?? this.#allowedMs;
    const traced = currentTracer()?.statement(textOf(sent[0]));
    // No limit at the server is none here.
    const isLimited = this.#graceMs !== undefined && allowedMs > 0;
    if (!isLimited && traced === undefined) return super.query(...(sent as readonly unknown[] as [string]));
    const late = isLimited ? setTimeout(() => this.giveUp(), allowedMs + this.#graceMs) : undefined;
    const over = (error?: unknown): void => {
      clearTimeout(late);
      traced?.(error);
    };
    const callback: unknown = sent.at(-1);
    if (typeof callback === 'function')
      return super.query(
        ...(sent.with(-1, (...answer: unknown[]) => {
          over(answer[0]);
          callback(...answer);
        }) as [string]),
      );
    const answer: unknown = super.query(...(sent as readonly unknown[] as [string]));
    if (answer instanceof Promise) void answer.then(() => over(), over);
    else if (answer instanceof Stream) finished(answer as NodeJS.ReadableStream, over);
    else over();
    return answer;
  }

  /** Hears how long the server lets statements take. */
  #heed(text: string): void {
    const [, local, amount, unit] = /^\s*set (local )?statement_timeout = '?(\d+)(ms|s)?'?\s*$/i.exec(text) ?? [];
    if (amount !== undefined) {
      const allowedMs = Number(amount) * (unit === 's' ? 1000 : 1);
      if (local === undefined) this.#allowedMs = allowedMs;
      else this.#allowedNowMs = allowedMs;
    } else if (/^\s*(?:commit|rollback)\s*;?\s*$/i.test(text)) this.#allowedNowMs = null;
  }

  /** True while nothing has come since the last statement was sent. */
  get isUnanswered(): boolean {
    return this.#socket.bytesRead === this.#heardBefore;
  }

  get #socket(): Socket {
    return (this as unknown as { connection: { stream: Socket } }).connection.stream;
  }

  /** Ends the connection at once: whoever waits for an answer hears of a lost one. */
  giveUp(): void {
    this.#socket.destroy();
  }
}

/** The text of a statement in any of the shapes that the driver takes. */
function textOf(sent: unknown): string {
  const text = typeof sent === 'string' ? sent : (sent as { text?: string }).text;
  return (text ?? '').replace(MARK, '').trimEnd();
}

/** The text of a statement that every connection prepares. */
export const asPrepared = (text: string): string => (text.endsWith(MARK) ? text : `${text} ${MARK}`);

const marked = SelectModifierNode.createWithExpression(RawNode.createWithSql(MARK));

/** Marks every statement of a query builder that is one text whatever its values. */
export const preparing: KyselyPlugin = {
  transformQuery({ node }) {
    return withMark(node);
  },
  transformResult: ({ result }) => Promise.resolve(result),
};

function withMark(node: RootOperationNode): RootOperationNode {
  if (node.kind === 'RawNode') {
    const { sqlFragments, ...rest } = node as RawNode;
    return { ...rest, sqlFragments: [...sqlFragments.slice(0, -1), `${sqlFragments.at(-1)} ${MARK}`] };
  }
  if (!isQuery(node)) return node;
  return { ...node, endModifiers: [...((node as Ending).endModifiers ?? []), marked] } as RootOperationNode;
}

type Ending = { endModifiers?: readonly unknown[] };
const QUERIES: readonly string[] = ['SelectQueryNode', 'InsertQueryNode', 'UpdateQueryNode', 'DeleteQueryNode'];
const isQuery = ({ kind }: RootOperationNode): boolean => QUERIES.includes(kind);
