import { randomUUID } from 'node:crypto';
import type { StopRow } from '../model.ts';
import type { Context } from '../state.ts';
import { failure, ok, stringList } from '../wire.ts';
import type { Answer, Body } from '../wire.ts';
import { visibleOrganizations } from './organizations.ts';

function row({ productId, balance, sizeId, sku, dateAdd }: StopRow, withSize: boolean): object {
  return { balance, productId, ...(withSize ? { sizeId } : {}), sku, dateAdd };
}

/** Returns stop-lists. Omits organizations without stopped items. */
export function stopLists(context: Context, body: Body): Answer {
  const wanted = stringList(body.organizationIds);
  if (!wanted || wanted.length === 0) return failure(400, 'organizationIds is required.');
  const terminals = stringList(body.terminalGroupsIds);
  const withSize = body.returnSize === true;
  const lists = visibleOrganizations(context)
    .filter(({ id }) => wanted.includes(id))
    .map(({ id, terminalGroups }) => ({
      organizationId: id,
      items: terminalGroups
        .filter((group) => terminals === undefined || terminals.includes(group.id))
        .map((group) => ({
          terminalGroupId: group.id,
          items: (context.state.dataset.stops.get(group.id) ?? []).map((stop) =>
            row(stop, withSize),
          ),
        }))
        .filter(({ items }) => items.length > 0),
    }))
    .filter(({ items }) => items.length > 0);

  return ok({ correlationId: randomUUID(), terminalGroupStopLists: lists });
}
