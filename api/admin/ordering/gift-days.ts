import { Type } from 'typebox';
import { acceptGiftDay } from '../../../modules/ordering/gift-days/accept-gift-day.ts';
import {
  differingOrders,
  giftDaysSheet,
  readGiftDays,
  type GiftDaysQuestion,
} from '../../../modules/ordering/gift-days/gift-days.ts';
import {
  AcceptedGiftDay,
  DifferingOrder,
  GiftDay,
  GiftSheet,
} from '../../../modules/ordering/schemas/gift-reconciliation.ts';
import { OrganizationId, Page, Strict } from '../../../kernel/pure/schemas.ts';
import { defineRoute, type UserActor } from '../../http/route.ts';
import { pageQuery, separatorQuery, sortQuery, toPage } from '../../http/schemas.ts';

const reads = {
  api: 'admin',
  method: 'GET',
  tags: ['Gifts'],
  permission: 'compensations.read',
} as const;

const day = (description: string) =>
  Type.Unsafe<string>({ type: 'string', format: 'date', description });

const period = {
  from: day("First day, by the organizations' clocks."),
  to: day('Last day, itself included: at most 92 days in all.'),
  organization_id: Type.Optional(
    Type.Unsafe<number>({ ...OrganizationId, description: 'Keeps days of this organization.' }),
  ),
};

type Period = { from: string; to: string; organization_id?: number };

const toQuestion = (
  { from, to, organization_id: organizationId }: Period,
  { scope }: UserActor,
): GiftDaysQuestion => ({
  from,
  to,
  organizationId,
  scope,
});

export const giftDayRoutes = [
  defineRoute({
    ...reads,
    path: '/compensations/reconciliation',
    restaurants: 'LISTED',
    operationId: 'listGiftDays',
    summary: 'Gifts by day and organization',
    description:
      'Numbers of gifts in orders at the external system, of redeemed rights, and of gifts without a right. `difference` is 0 ' +
      'when every gift is accounted for. Days without gifts are omitted. Today may differ until all its orders have been read.',
    query: Strict({
      ...pageQuery,
      ...sortQuery(['date', 'atErp', 'redeemed', 'difference']),
      ...period,
    }),
    responses: { 200: Page(GiftDay) },
    handler: async ({ query, actor }, deps) => ({
      status: 200,
      body: await readGiftDays(deps, toQuestion(query, actor), toPage(query)),
    }),
  }),
  defineRoute({
    ...reads,
    path: '/compensations/reconciliation/orders',
    operationId: 'listDifferingOrders',
    summary: 'Orders behind the difference of a day',
    description:
      'Orders whose gifts at the external system are not covered by redeemed rights and gifts without a right, as ' +
      '`differingOrders` of `GET /compensations/reconciliation` counts them.',
    query: Strict({
      ...pageQuery,
      ...sortQuery(['difference', 'atErp', 'redeemed', 'number']),
      date: day("A day by the organizations' clocks."),
      organization_id: period.organization_id,
    }),
    responses: { 200: Page(DifferingOrder) },
    handler: async ({ query }, { db }) => ({
      status: 200,
      body: await differingOrders(
        db,
        { date: query.date, organizationId: query.organization_id },
        toPage(query),
      ),
    }),
  }),
  defineRoute({
    ...reads,
    path: '/compensations/reconciliation.csv',
    restaurants: 'LISTED',
    operationId: 'exportGiftDays',
    summary: 'Gifts by day and organization as a sheet',
    description:
      'The same as `GET /compensations/reconciliation` without pages, in the format of RFC 4180, in UTF-8 with a byte order mark. A text that a spreadsheet would take for a formula ' +
      'has an apostrophe in front.',
    query: Strict({ ...period, ...separatorQuery }),
    responses: { 200: GiftSheet },
    mediaType: 'text/csv',
    handler: async ({ query, actor }, deps) => ({
      status: 200,
      body: await giftDaysSheet(deps, toQuestion(query, actor), query.separator),
      headers: {
        'Content-Disposition': `attachment; filename="gifts-${query.from}-${query.to}.csv"`,
      },
    }),
  }),
  defineRoute({
    api: 'admin',
    method: 'POST',
    path: '/compensations/reconciliation/accept',
    operationId: 'acceptGiftDay',
    summary: 'Accept that the gifts of a day differ',
    description:
      'For a difference that cannot be repaired, such as an order with fewer gifts than its right promised. The day causes no more notifications until ' +
      'its orders differ in another way. Neither orders nor rights change. A day that no longer matches `fingerprint` is `version-conflict`, ' +
      'one that was not yet compared is `not-found`. Accepting the same again keeps the first reason.',
    tags: ['Gifts'],
    permission: 'compensations.manage',
    body: AcceptedGiftDay,
    responses: { 200: GiftDay },
    problems: ['not-found', 'version-conflict'],
    handler: async ({ body, actor }, deps) => ({
      status: 200,
      body: await acceptGiftDay(deps, actor, body),
    }),
  }),
];
