import { readFileSync } from 'node:fs';

/** The kernel's unit of CPU time, on every Linux that Node supports. */
const TICK_MS = 10;

/**
 * CPU time of a process with threads and children so far, ms; NaN outside of Linux. Other load
 * affects CPU time less than wall time.
 */
export function cpuMs(pid: number): number {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
      .split(' ')
      .filter(Boolean);
    // The program's name in brackets may contain spaces, so the fields after the brackets are
    // counted.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ');
    // The last two fields include ended children, such as PostgreSQL's backends.
    const own = fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) * TICK_MS;

    return children.reduce((sum, child) => sum + cpuMs(Number(child)), own);
  } catch {
    return Number.NaN;
  }
}
