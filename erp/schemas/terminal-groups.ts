import { Type } from 'typebox';
import { Uuid, maybe } from './check.ts';

const ByOrganization = Type.Object({
  organizationId: Uuid,
  items: Type.Array(
    Type.Object({ id: Uuid, name: maybe(Type.String()), timeZone: maybe(Type.String()) }),
  ),
});

/** Sleeping groups are in a separate list. */
export const TerminalGroupsAnswer = Type.Object({
  terminalGroups: Type.Array(ByOrganization),
  terminalGroupsInSleep: maybe(Type.Array(ByOrganization)),
});

/** `timeZone` is opaque: live values include `UTC` and `03:00:00`. */
export type ErpTerminalGroup = {
  id: string;
  organizationId: string;
  name: string;
  timeZone: string | null;
  isAsleep: boolean;
};
