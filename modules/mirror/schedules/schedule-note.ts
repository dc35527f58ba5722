import type { SchedulePause } from './schedule-pauses.ts';

/** `note`: digest of the definition and reason of a pause. */
export type ScheduleState = { paused: boolean; note: string };

const OURS = /^definition [0-9a-f]+; paused by pause \d+: /;
const KNOWN = /^definition [0-9a-f]+(; paused elsewhere: )?/;

/** The operator's row decides. A pause made in Temporal is kept with its note. */
export function wantedState(
  digest: string,
  present: { paused: boolean; note?: string | undefined } | undefined,
  pause: SchedulePause | undefined,
): ScheduleState {
  const definition = `definition ${digest}`;
  if (pause !== undefined)
    return {
      paused: true,
      note: `${definition}; paused by pause ${pause.pauseId}: ${pause.reason}`,
    };

  if (present === undefined || !isPausedElsewhere(present))
    return { paused: false, note: definition };

  return { paused: true, note: `${definition}; paused elsewhere: ${noteElsewhere(present)}` };
}

/** Returns true for a pause that does not come from our row. */
export function isPausedElsewhere({
  paused,
  note = '',
}: {
  paused: boolean;
  note?: string | undefined;
}): boolean {
  return paused && !OURS.test(note);
}

export function noteElsewhere({ note = '' }: { note?: string | undefined }): string {
  return note.replace(KNOWN, '');
}
