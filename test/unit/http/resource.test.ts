import { describe, expect, test } from '@jest/globals';
import { Type } from 'typebox';
import { defineResource } from '../../../api/http/resource.ts';
import type { AnyRequest, Route } from '../../../api/http/route.ts';
import type { Deps } from '../../../api/deps.ts';
import { Id, Strict } from '../../../kernel/pure/schemas.ts';

const Item = Strict({ id: Id, name: Type.String() });
const NewItem = Strict({ name: Type.String() });
const texts = (operationId: string) => ({ operationId, summary: operationId, description: '' });

const deps = { db: 'the database' } as unknown as Deps;
const row = { id: 7, name: 'seven' };
const calls: unknown[] = [];

/** A resource that records the arguments of each use case. */
const sample = (restaurants?: 'SHARED' | (() => Promise<number[]>)): Route[] =>
  defineResource({
    path: '/items',
    tags: ['Items'],
    permission: { reads: 'catalog.read', writes: 'catalog.write' },
    ...(restaurants === undefined ? {} : { restaurants }),
    item: Item,
    list: {
      ...texts('listItems'),
      sort: ['name'],
      filters: { of_parent: Type.Optional(Id) },
      async run(_deps, { page, size, scope }, { of_parent: parent }) {
        calls.push({ page, size, scope, parent });
        return { items: [row], page, size, total: 1 };
      },
    },
    create: {
      ...texts('createItem'),
      problems: ['duplicate'],
      body: NewItem,
      async run(_deps, { userId }, { name }, idempotency) {
        calls.push({ userId, name, idempotency });
        return row;
      },
    },
    get: {
      operationId: 'getItem',
      summary: 'One item',
      run: async (_deps, id) => ({ ...row, id }),
    },
    edit: {
      ...texts('editItem'),
      body: NewItem,
      run: async (_deps, _actor, id, { name }) => ({ id, name }),
    },
    remove: {
      ...texts('deleteItem'),
      problems: ['invalid-transition'],
      async run(_deps, { userId }, id) {
        calls.push({ userId, id });
      },
    },
  });

const byId = (routes: readonly Route[]) =>
  new Map(routes.map((route) => [route.operationId, route]));
const send = (route: Route | undefined, request: object) =>
  route!.handler({ params: {}, query: {}, ...request } as unknown as AnyRequest, deps);

describe('defineResource', () => {
  test('derives method, path, permission, answers and problems of each operation', () => {
    const shown = sample().map(({ method, path, permission, responses, problems, idempotent }) => [
      `${method} ${path}`,
      permission,
      Object.keys(responses).join(),
      problems?.join(' ') ?? '',
      idempotent ?? false,
    ]);

    expect(shown).toEqual([
      ['GET /items', 'catalog.read', '200', '', false],
      ['POST /items', 'catalog.write', '201', 'duplicate', true],
      ['GET /items/{id}', 'catalog.read', '200', 'not-found', false],
      ['PATCH /items/{id}', 'catalog.write', '200', 'not-found version-conflict', false],
      ['DELETE /items/{id}', 'catalog.write', '204', 'not-found invalid-transition', false],
    ]);
  });

  test('passes the parts of a request to the use case, and its result to the caller', async () => {
    const routes = byId(sample());
    const actor = { userId: 3, scope: [1] };
    const body = { name: 'new' };
    calls.length = 0;

    const listed = await send(routes.get('listItems'), {
      actor,
      query: { page: 2, size: 10, of_parent: 5 },
    });
    expect(listed).toEqual({ status: 200, body: { items: [row], page: 2, size: 10, total: 1 } });
    expect(await send(routes.get('createItem'), { actor, body, idempotency: null })).toEqual({
      status: 201,
      body: row,
    });
    expect(await send(routes.get('getItem'), { actor, params: { id: 8 } })).toMatchObject({
      body: { id: 8 },
    });
    const edited = await send(routes.get('editItem'), { actor, params: { id: 9 }, body });
    expect(edited).toEqual({ status: 200, body: { id: 9, name: 'new' } });
    expect(await send(routes.get('deleteItem'), { actor, params: { id: 9 } })).toEqual({
      status: 204,
    });

    expect(calls).toEqual([
      { page: 2, size: 10, scope: [1], parent: 5 },
      { userId: 3, name: 'new', idempotency: null },
      { userId: 3, id: 9 },
    ]);
  });

  test('concerns the chain without restaurants', () => {
    expect(sample().map(({ restaurants }) => restaurants)).toEqual(Array(5).fill('CHAIN'));
  });

  test('lets everyone read shared rows', () => {
    const sources = sample('SHARED').map(({ restaurants }) => restaurants);
    expect(sources).toEqual(['SHARED', 'CHAIN', 'SHARED', 'CHAIN', 'CHAIN']);
  });

  test('[ACC-61] limits lists, new rows and stored rows to their restaurants', async () => {
    const [list, create, ...ofRow] = sample(async () => [4]).map(({ restaurants }) => restaurants);
    expect([list, create]).toEqual(['LISTED', 'NAMED']);
    for (const restaurants of ofRow) {
      if (typeof restaurants !== 'function')
        throw new Error('no function reads the restaurants of the row');
      expect(await restaurants({ params: { id: 7 } } as unknown as AnyRequest, deps)).toEqual([4]);
    }
  });

  test('names a row by the parameter of its own', async () => {
    const [get] = defineResource({
      path: '/items',
      params: Strict({ code: Type.String() }),
      tags: ['Items'],
      permission: 'catalog.read',
      item: Strict({ code: Type.String() }),
      get: { operationId: 'getItem', summary: 'One item', run: async (_deps, code) => ({ code }) },
    });
    expect(get).toMatchObject({
      path: '/items/{code}',
      description: 'An update has to name `version`.',
    });
    expect(await send(get, { params: { code: 'A' } })).toEqual({
      status: 200,
      body: { code: 'A' },
    });
  });

  test('rejects a use case whose answer is not the row of the resource', () => {
    const routes = defineResource({
      path: '/items',
      tags: ['Items'],
      permission: 'catalog.read',
      item: Item,
      // @ts-expect-error -- the compiler is the test: the row has a name
      get: { operationId: 'getItem', summary: 'One item', run: async (_deps, id) => ({ id }) },
    });
    expect(routes).toHaveLength(1);
  });
});
