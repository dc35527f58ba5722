import { Type } from 'typebox';
import { defineRoute } from '../../api/http/route.ts';
import { once } from '../../kernel/idempotency.ts';
import { Problem } from '../../kernel/problem.ts';
import { Id, Money, Nullable, Page, Strict, Timestamp } from '../../kernel/pure/schemas.ts';
import { IdParams, pageQuery, toPage, sortQuery } from '../../api/http/schemas.ts';
import { textSql } from '../../platform/db/text-sql.ts';
import { addRow } from './rows.ts';

const texts = { summary: 'Sample', description: 'Sample.', tags: ['Sample'] };
const Note = Type.Object({ id: Id, name: Type.String(), at: Timestamp });

/** A gate for which `createNote` waits, so that a test can keep a command in progress. */
export const gate: { wait: Promise<void> } = { wait: Promise.resolve() };

const createNote = defineRoute({
  ...texts,
  api: 'admin',
  method: 'POST',
  path: '/notes',
  operationId: 'createNote',
  permission: 'catalog.write',
  idempotent: true,
  body: Strict({
    name: Type.String({ minLength: 1, maxLength: 20 }),
    note: Type.Optional(Nullable(Type.String({ maxLength: 5 }))),
    lines: Type.Optional(Type.Array(Strict({ amount: Type.Integer({ minimum: 1 }) }))),
  }),
  responses: { 201: Note },
  handler: async ({ body, idempotency }, { db }) => {
    const created = await db.transaction((tx) =>
      once(tx, idempotency, async () => {
        const { id, name, createdAt } = await addRow(tx, 'franchisee', { name: body.name });
        await gate.wait;
        return { id, name, at: createdAt };
      }),
    );
    return { status: 201, body: created };
  },
});

export const sampleRoutes = [
  createNote,
  defineRoute({
    ...texts,
    api: 'admin',
    method: 'POST',
    path: '/notes/long',
    operationId: 'createLongNote',
    permission: 'catalog.write',
    bodyLimit: 100_500,
    body: Strict({ name: Type.String({ maxLength: 10 }) }),
    responses: { 204: null },
    handler: async () => ({ status: 204 }),
  }),
  defineRoute({
    ...texts,
    api: 'public',
    method: 'GET',
    path: '/prices/{id}',
    operationId: 'getPrice',
    permission: 'public',
    params: IdParams,
    responses: { 200: Type.Object({ id: Id, price: Money, old: Nullable(Money), at: Timestamp }) },
    cacheControl: 'public, max-age=60',
    handler: async ({ params }) => {
      if (params.id === 404) throw new Problem('not-found');
      return { status: 200, body: { id: params.id, price: 25_000, old: null, at: new Date(0) } };
    },
  }),
  defineRoute({
    ...texts,
    api: 'public',
    method: 'GET',
    path: '/words',
    operationId: 'listWords',
    permission: 'public',
    query: Strict({
      ...pageQuery,
      ...sortQuery(['name', 'id']),
      flag: Type.Optional(Type.Boolean()),
      q: Type.Optional(Type.String()),
    }),
    responses: { 200: Page(Type.Object({ text: Type.String() })) },
    handler: async ({ query }) => {
      const { page, size, offset, sort } = toPage(query);
      const order = sort.map((key) => `${key.field} ${key.direction}`);
      const text = JSON.stringify({ offset, order, flag: query.flag ?? null });
      return {
        status: 200,
        body: { items: [{ text }, { text: 'x'.repeat(5000) }], page, size, total: 2 },
      };
    },
  }),
  defineRoute({
    ...texts,
    api: 'admin',
    method: 'POST',
    path: '/files',
    operationId: 'uploadFile',
    permission: 'media.write',
    files: {
      field: 'file',
      example: 'any.txt',
      maxBytes: 1000,
      description: 'Anything.',
      types: ['text/plain'],
    },
    body: Strict({ folder: Type.Optional(Type.String({ maxLength: 5 })) }),
    responses: {
      200: Type.Object({
        name: Type.String(),
        bytes: Type.Integer(),
        folder: Nullable(Type.String()),
      }),
    },
    handler: async ({ files: [file], body }) => ({
      status: 200,
      body: { name: file!.originalName, bytes: file!.bytes.length, folder: body.folder ?? null },
    }),
  }),
  defineRoute({
    ...texts,
    api: 'admin',
    method: 'GET',
    path: '/broken/{way}',
    operationId: 'getBroken',
    permission: 'authenticated',
    params: Strict({ way: Type.String() }),
    responses: { 200: Type.Object({ id: Id }) },
    handler: async ({ params }, { db }) => {
      if (params.way === 'throw') throw new Error('secret sentence');
      if (params.way === 'sql') await textSql(db).query('select $1::int', ['not a number']);
      if (params.way === 'leak')
        return { status: 200, body: { id: 1, apiLogin: 'secret' } as { id: number } };
      if (params.way === 'missing') return { status: 200, body: {} as { id: number } };
      return { status: 418 as 200, body: { id: 1 } };
    },
  }),
  defineRoute({
    ...texts,
    api: 'admin',
    method: 'POST',
    path: '/broken/all',
    operationId: 'mendAll',
    permission: 'authenticated',
    responses: { 204: null },
    handler: async () => ({ status: 204 }),
  }),
];
