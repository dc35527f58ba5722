import type { IncomingMessage } from 'node:http';
import multer from '@koa/multer';
import { invalidField, isProblem, Problem } from '../../../kernel/problem.ts';
import type { HttpContext, HttpMiddleware } from '../context.ts';
import { readJson, saysNothing } from './json-body.ts';
import type { FilesRule, Route, UploadedFile } from '../route.ts';

const FORM_EXTRA_BYTES = 2 * 1_048_576;

/** In memory. */
const FORMS_AT_ONCE = 8;

export type ReadBody = (ctx: HttpContext) => Promise<{ body: unknown; files: UploadedFile[] }>;

/** Enough to drain a file that is a few times too large. */
const DISCARDED_BYTES = 64 * 1_048_576;
const DISCARDED_MS = 30_000;

export function bodyReader(route: Pick<Route, 'body' | 'files' | 'bodyLimit'>): ReadBody {
  const read = createReader(route);
  return async (ctx) => {
    try {
      return await read(ctx);
    } catch (error) {
      discardRest(ctx.req);
      throw error;
    }
  };
}

function createReader({
  body,
  files,
  bodyLimit,
}: Pick<Route, 'body' | 'files' | 'bodyLimit'>): ReadBody {
  if (files !== undefined) return formReader(files);
  return body === undefined ? refuseBody : jsonReader(bodyLimit);
}

/**
 * Rejects a body that the operation ignores. A client that sends `{"version": 99}` expects the
 * version to be checked.
 */
async function refuseBody(ctx: HttpContext): Promise<{ body: undefined; files: [] }> {
  if (hasBody(ctx) && !(await saysNothing(ctx.req)))
    throw invalidField(
      'body',
      'unknown_field',
      'must be empty, because this operation takes no body',
    );

  return { body: undefined, files: [] };
}

/**
 * Closing the connection at once would hide the response from a sending client. An endless body
 * is cut off.
 */
function discardRest(request: IncomingMessage): void {
  if (request.complete) return;
  const cutOff = () => request.socket.destroy();
  let budget = DISCARDED_BYTES;
  request.on('data', (chunk: Buffer) => (budget -= chunk.length) < 0 && cutOff());
  const timer = setTimeout(cutOff, DISCARDED_MS).unref();
  request.on('close', () => clearTimeout(timer));
  request.resume();
}

function jsonReader(mostBytes: number): ReadBody {
  return async (ctx) => {
    if (!hasBody(ctx)) return { body: {}, files: [] };
    requireType(ctx, 'application/json');
    const body = await readJson(ctx, mostBytes);
    // The schema rejects `null`.
    return { body: body === undefined ? {} : body, files: [] };
  };
}

function formReader(rule: FilesRule): ReadBody {
  const options: multer.Options & { defParamCharset: string } = {
    storage: multer.memoryStorage(),
    limits: { fileSize: rule.maxBytes, files: 1, fields: 20, fieldSize: 65_536, parts: 21 },
    // Browsers send file names as UTF-8.
    defParamCharset: 'utf8',
  };

  const parse = multer(options).single(rule.field) as unknown as HttpMiddleware;
  let reading = 0;

  return async (ctx) => {
    requireType(ctx, 'multipart/form-data');
    const mostBytes = rule.maxBytes + FORM_EXTRA_BYTES;
    if (Number(ctx.req.headers['content-length'] ?? 0) > mostBytes)
      throw new Problem('payload-too-large');
    if (reading >= FORMS_AT_ONCE) throw new Problem('busy', { headers: { 'Retry-After': '1' } });
    reading += 1;

    try {
      await Promise.race([parse(ctx, async () => undefined), moreThan(mostBytes, ctx)]);
    } catch (error) {
      throw isSecondFile(error, rule)
        ? invalidField(rule.field, 'max_items', 'takes one file')
        : unreadable(error, rule.maxBytes);
    } finally {
      reading -= 1;
    }

    const { file, body } = ctx.request as { file?: multer.File; body?: Record<string, unknown> };
    if (file === undefined) throw invalidField(rule.field, 'required', 'is required');
    const { fieldname, originalname, mimetype, buffer } = file;

    return {
      body: { ...body },
      files: [{ field: fieldname, originalName: originalname, mime: mimetype, bytes: buffer }],
    };
  };
}

/** The parser would read a rejected body to its end. */
function moreThan(mostBytes: number, { req }: HttpContext): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>();
  let received = 0;
  req.on('data', (chunk: Buffer) => {
    received += chunk.length;
    if (received > mostBytes) reject(new Problem('payload-too-large'));
  });

  return promise;
}

/** The parser reports a second file as unexpected. */
function isSecondFile(error: unknown, rule: FilesRule): boolean {
  const { code, field } = error as { code?: string; field?: string };
  return code === 'LIMIT_FILE_COUNT' || (code === 'LIMIT_UNEXPECTED_FILE' && field === rule.field);
}

function hasBody(ctx: HttpContext): boolean {
  return (
    ctx.req.headers['transfer-encoding'] !== undefined ||
    Number(ctx.req.headers['content-length'] ?? 0) > 0
  );
}

function requireType(ctx: HttpContext, type: string): void {
  if (!ctx.is(type))
    throw new Problem('unsupported-media-type', { detail: `This operation reads ${type}` });
}

function unreadable(error: unknown, mostBytes: number): unknown {
  if (!(error instanceof Error) || isProblem(error)) return error;
  const { status, code } = error as { status?: number; code?: string };
  if (status === 413 || code === 'LIMIT_FILE_SIZE')
    return new Problem('payload-too-large', {
      detail: `This operation reads at most ${mostBytes} bytes.`,
    });

  if (status === 415) return new Problem('unsupported-media-type');
  if (code === 'LIMIT_UNEXPECTED_FILE')
    return invalidField(
      (error as { field?: string }).field ?? 'files',
      'unknown_field',
      'is unknown',
    );

  return new Problem('malformed-body');
}
