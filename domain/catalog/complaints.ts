/** A field of a request that breaks a rule; the code is one of `FIELD_CODES` in contracts/. */
export type Complaint = { field: string; code: string; message: string };

/** What is wrong with a list of ids: one that is named twice, or that names nothing of `known`. `what` is said in the message. */
export function listComplaints(
  field: string,
  ids: readonly number[],
  known: ReadonlySet<number>,
  what: string,
): Complaint[] {
  const firstAt = new Map(ids.map((id, at): [number, number] => [id, at]).toReversed());
  return ids.flatMap((id, at): Complaint[] => {
    const place = `${field}.${at}`;
    if (firstAt.get(id) !== at) return [{ field: place, code: 'duplicate', message: `The ${what} is named twice.` }];
    return known.has(id) ? [] : [{ field: place, code: 'not_found', message: `No such ${what}.` }];
  });
}
