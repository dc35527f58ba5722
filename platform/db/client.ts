import { finished, Stream } from 'node:stream';
import type { Socket } from 'node:net';
import pg from 'pg';
import { currentTracer } from '../tracing.ts';
import { statementName, withSettings } from './prepared.ts';

/**
 * Prepares statements with a name from {@link preparing}. Ends itself if the server does not
 * answer within the statement time-out plus `graceMs` (decision 64): a network that drops packets
 * reports nothing. Callers get the error of a lost connection.
 */
export class DatabaseClient extends pg.Client {
  readonly #graceMs: number | undefined;
  #allowedMs: number;
  #allowedNowMs: number | null = null;
  /** Number of bytes received when the last statement was sent. */
  #heardBefore = -1;

  constructor(config?: pg.ClientConfig & { graceMs?: number }) {
    super(config);
    this.#graceMs = config?.graceMs;
    this.#allowedMs = Number(config?.statement_timeout || 0);
  }

  /** The query builder sends a text and a list. The driver declares eight signatures. */
  override query = ((...sent: unknown[]): unknown => {
    const [statement, values] = sent as [unknown, unknown];
    const text = typeof statement === 'string' ? withSettings(statement) : statement;
    this.#heardBefore = this.#socket.bytesRead;
    if (typeof text === 'string') this.#heed(text);
    const name = statementName();
    const isNamed = name !== undefined && typeof text === 'string' && Array.isArray(values);

    return this.#patiently(isNamed ? [{ name, text, values }] : sent.with(0, text));
  }) as pg.Client['query'];

  /** Returns the driver's result: a promise, a stream, or nothing with a callback. */
  #patiently(sent: readonly unknown[]): unknown {
    const allowedMs = this.#allowedNowMs ?? this.#allowedMs;
    const traced = currentTracer()?.statement(textOf(sent[0]));
    const isLimited = this.#graceMs !== undefined && allowedMs > 0;
    if (!isLimited && traced === undefined)
      return super.query(...(sent as readonly unknown[] as [string]));
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

  /** Detects changes of the statement time-out. */
  #heed(text: string): void {
    const [, local, amount, unit] =
      /^\s*set (local )?statement_timeout = '?(\d+)(ms|s)?'?\s*$/i.exec(text) ?? [];
    if (amount !== undefined) {
      const allowedMs = Number(amount) * (unit === 's' ? 1000 : 1);
      if (local === undefined) this.#allowedMs = allowedMs;
      else this.#allowedNowMs = allowedMs;
    } else if (/^\s*(?:commit|rollback)\s*;?\s*$/i.test(text)) this.#allowedNowMs = null;
  }

  get isUnanswered(): boolean {
    return this.#socket.bytesRead === this.#heardBefore;
  }

  get #socket(): Socket {
    return (this as unknown as { connection: { stream: Socket } }).connection.stream;
  }

  /** Callers get the error of a lost connection. */
  giveUp(): void {
    this.#socket.destroy();
  }
}

function textOf(sent: unknown): string {
  const text = typeof sent === 'string' ? sent : (sent as { text?: string }).text;
  return text ?? '';
}
