import type { SchedulePause } from './schedule-pauses.ts';

/**
 * State of a schedule that we set: whether it is paused, and a note with its definition and the
 * reason of a pause.
 */
export type ScheduleState = { paused: boolean; note: string };

const OURS = /^definition [0-9a-f]+; paused by pause \d+: /;
const KNOWN = /^definition [0-9a-f]+(; paused elsewhere: )?/;

/**
 * Returns the desired state of a schedule. The row of an operator decides; a pause in Temporal
 * itself is kept, with its note behind ours, until it is lifted there. Applied to its own result it
 * changes nothing.
 */
export function wantedState(
  digest: string,
  present: { paused: boolean; note?: string | undefined } | undefined,
  pause: SchedulePause | undefined,
): ScheduleState {
  const definition = `definition ${digest}`;
  if (pause !== undefined)
    return { paused: true, note: `${definition}; paused by pause ${pause.pauseId}: ${pause.reason}` };
  if (present === undefined || !isPausedElsewhere(present)) return { paused: false, note: definition };
  return { paused: true, note: `${definition}; paused elsewhere: ${noteElsewhere(present)}` };
}

/** True when a schedule is paused and not by a row of ours. */
export function isPausedElsewhere({ paused, note = '' }: { paused: boolean; note?: string | undefined }): boolean {
  return paused && !OURS.test(note);
}

/** The note of a pause in Temporal itself; may be empty. */
export function noteElsewhere({ note = '' }: { note?: string | undefined }): string {
  return note.replace(KNOWN, '');
}
