import { defineEntity, p } from '@mikro-orm/core';

/** How often something has happened in the window of its key; no log is written for it, so a crash of PostgreSQL forgets all counts. */
export const WindowCount = defineEntity({
  name: 'WindowCount',
  tableName: 'window_count',
  properties: {
    key: p.text().primary(),
    times: p.integer(),
    endsAt: p.datetime(),
  },
});
