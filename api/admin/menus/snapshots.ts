import { Type } from 'typebox';
import { pinRevision, unpinRevision } from '../../../modules/menus/snapshot/pin-revision.ts';
import {
  diffRevisions,
  getRevision,
  listRevisions,
} from '../../../modules/menus/snapshot/revisions.ts';
import { getSnapshotStatus } from '../../../modules/menus/snapshot/snapshot-status.ts';
import {
  NewPin,
  PinEnd,
  Revision,
  RevisionDetail,
  RevisionDiff,
  SnapshotStatus,
} from '../../../modules/menus/schemas/snapshot.ts';
import { Id, OrganizationId, Page, Strict } from '../../../kernel/pure/schemas.ts';
import { defineRoute } from '../../http/route.ts';
import { pageQuery, toPage, sortQuery } from '../../http/schemas.ts';

const tags = ['Menus of restaurants'];
const OrganizationParams = Strict({ organization_id: OrganizationId });

const getStatusRoute = defineRoute({
  api: 'admin',
  method: 'GET',
  path: '/snapshots/{organization_id}',
  operationId: 'getSnapshot',
  summary: 'State of the public menu of a restaurant',
  description:
    'The answer shows what guests see and whether a rebuild is waiting. Fields are null while nothing is published.',
  tags,
  permission: 'snapshot.read',
  params: OrganizationParams,
  responses: { 200: SnapshotStatus },
  problems: ['not-found'],
  handler: async ({ params }, { db }) => ({
    status: 200,
    body: await getSnapshotStatus(db, params.organization_id),
  }),
});

const listRevisionsRoute = defineRoute({
  api: 'admin',
  method: 'GET',
  path: '/snapshots/{organization_id}/revisions',
  operationId: 'listRevisions',
  summary: 'Published revisions of a restaurant',
  description:
    'The newest revisions come first. A revision that was replaced is kept for `snapshot.revision_days` days. A ' +
    'change of the stop-list does not create a revision.',
  tags,
  permission: 'snapshot.read',
  params: OrganizationParams,
  query: Strict({
    ...pageQuery,
    ...sortQuery(['revision', 'publishedAt', 'productCount', 'bytes']),
  }),
  responses: { 200: Page(Revision) },
  problems: ['not-found'],
  handler: async ({ params, query }, { db }) => ({
    status: 200,
    body: await listRevisions(db, params.organization_id, toPage(query)),
  }),
});

const getRevisionRoute = defineRoute({
  api: 'admin',
  method: 'GET',
  path: '/snapshots/{organization_id}/revisions/{revision}',
  operationId: 'getRevision',
  summary: 'One revision with its menu',
  description: '`menu` is the public answer that was published.',
  tags,
  permission: 'snapshot.read',
  params: Strict({ organization_id: OrganizationId, revision: Id }),
  responses: { 200: RevisionDetail },
  problems: ['not-found'],
  handler: async ({ params }, { db }) => ({
    status: 200,
    body: await getRevision(db, params.organization_id, params.revision),
  }),
});

const diffRoute = defineRoute({
  api: 'admin',
  method: 'GET',
  path: '/snapshots/{organization_id}/diff',
  operationId: 'diffRevisions',
  summary: 'Differences between two revisions',
  description:
    'Differences are listed by id and field. Availability is not compared. Without `to` the revision is compared ' +
    'with the one that is served.',
  tags,
  permission: 'snapshot.read',
  params: OrganizationParams,
  query: Strict({ from: Id, to: Type.Optional(Id) }),
  responses: { 200: RevisionDiff },
  problems: ['not-found'],
  handler: async ({ params, query }, { db }) => ({
    status: 200,
    body: await diffRevisions(db, params.organization_id, query),
  }),
});

const pinRoute = defineRoute({
  api: 'admin',
  method: 'POST',
  path: '/snapshots/{organization_id}/pin',
  operationId: 'pinRevision',
  summary: 'Freeze the menu of a restaurant or roll it back',
  description:
    'Until the time `until`, guests see the storefront content of this revision with current prices and ' +
    'availability. When the revision is the served one, the menu is frozen; an older revision is published again ' +
    'under a new number.',
  tags,
  permission: 'snapshot.manage',
  idempotent: true,
  params: OrganizationParams,
  body: NewPin,
  responses: { 200: SnapshotStatus },
  problems: ['not-found', 'invalid-transition'],
  handler: async ({ params, body, actor, idempotency }, deps) => ({
    status: 200,
    body: await pinRevision(
      deps,
      actor,
      params.organization_id,
      { ...body, until: new Date(body.until) },
      idempotency,
    ),
  }),
});

const unpinRoute = defineRoute({
  api: 'admin',
  method: 'POST',
  path: '/snapshots/{organization_id}/unpin',
  operationId: 'unpinRevision',
  summary: 'Publish the current content again',
  description: 'The request ends a pin before its time.',
  tags,
  permission: 'snapshot.manage',
  params: OrganizationParams,
  body: PinEnd,
  responses: { 200: SnapshotStatus },
  problems: ['not-found', 'invalid-transition'],
  handler: async ({ params, body, actor }, deps) => ({
    status: 200,
    body: await unpinRevision(deps, actor, params.organization_id, body),
  }),
});

export const snapshotRoutes = [
  getStatusRoute,
  listRevisionsRoute,
  getRevisionRoute,
  diffRoute,
  pinRoute,
  unpinRoute,
];
