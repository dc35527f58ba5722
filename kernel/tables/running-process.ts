import { defineEntity, p } from '@mikro-orm/core';

/** A process that runs, or ran when it was last seen. */
export const RunningProcess = defineEntity({
  name: 'RunningProcess',
  tableName: 'running_process',
  properties: {
    id: p.uuid().primary(),
    name: p.text(),
    keyIds: p.array().$type<string[]>().columnType('text[]'),
    startedAt: p.datetime().defaultRaw('now()'),
    seenAt: p.datetime().defaultRaw('now()'),
  },
});
