import { Type } from 'typebox';
import {
  endImportPause,
  listImportPauses,
  pauseImport,
} from '../../../modules/mirror/pauses/import-pauses.ts';
import { ImportPause, NewPause } from '../../../modules/mirror/schemas/mirror.ts';
import { defineResource } from '../../http/resource.ts';

export const syncPauseRoutes = defineResource({
  path: '/sync/pauses',
  tags: ['Imports'],
  permission: { reads: 'sync.read', writes: 'sync.run' },
  item: ImportPause,
  list: {
    operationId: 'listImportPauses',
    summary: 'Paused imports',
    description:
      'The newest pauses come first. With `all` pauses that have ended are listed as well.',
    sort: ['job', 'createdAt', 'until'],
    filters: { all: Type.Optional(Type.Boolean({ default: false })) },
    run: ({ db }, page, { all = false }) => listImportPauses(db, { ...page, all }),
  },
  create: {
    operationId: 'pauseImport',
    summary: 'Pause an import',
    description:
      'Schedules, webhooks and reconcilers no longer start the import. A run in progress continues, and the ' +
      'import can still be started manually. MENU without `externalMenuId` pauses all menus of the connection.',
    problems: ['not-found', 'duplicate'],
    body: NewPause,
    run: pauseImport,
  },
  remove: {
    operationId: 'endImportPause',
    summary: 'End a pause',
    description:
      'The schedule starts the import again. The pause stays in the history. A second call changes nothing.',
    run: endImportPause,
  },
});
