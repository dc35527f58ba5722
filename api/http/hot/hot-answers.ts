import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Problem } from '../../../kernel/problem.ts';
import { PROBLEMS } from '../../../kernel/pure/problems.ts';
import type { Env } from '../../../modules/env.ts';
import {
  fillRequestHeaders,
  uncachedHeaders,
  type RawHeaders,
  type RequestFacts,
} from './hot-headers.ts';
import type { HotMetrics } from './hot-metrics.ts';
import { PROBLEM_TYPE, problemText } from '../problems/problem-body.ts';

/** `read` is the name of the operation in problems and metrics. */
export type HotExchange = RequestFacts & {
  request: IncomingMessage;
  response: ServerResponse;
  read: { path: string; route: string };
};

/** Creates the writer of responses before Koa, with Koa's headers and metrics. */
export function createHotAnswers(
  env: Pick<Env, 'PUBLIC_ORIGINS'>,
  counts: Pick<HotMetrics, 'count'>,
) {
  function end(
    exchange: HotExchange,
    status: number,
    prepared: RawHeaders,
    body: Buffer | null,
  ): void {
    const { response, read } = exchange;
    response.writeHead(status, fillRequestHeaders(prepared, exchange, env));
    if (body === null) response.end();
    else response.end(body);
    counts.count(read.route, status);
  }

  function refuse(exchange: HotExchange, problem: Problem): void {
    const { request, id } = exchange;
    const instance = exchange.read.path;
    const body = Buffer.from(problemText(problem, { instance, requestId: id }));
    const extra = problem.details.headers ?? {};
    const headers = uncachedHeaders(
      { type: PROBLEM_TYPE, bytes: body.length, extra },
      exchange.counter,
      env,
    );

    end(exchange, PROBLEMS[problem.kind].status, headers, request.method === 'HEAD' ? null : body);
  }

  return { end, refuse };
}
