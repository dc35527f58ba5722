import { readFileSync } from 'node:fs';

/** Length of the kernel's unit of processor time, on every Linux that Node runs on. */
const TICK_MS = 10;

/**
 * Processor time in milliseconds that a process with its threads and children has used so far; NaN
 * if the kernel does not report it (not Linux). Neighbors on a shared machine stretch the clock,
 * but hardly this.
 */
export function cpuMs(pid: number): number {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);
    // The name of the program is in brackets and may contain spaces: the fields are counted behind
    // it.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ');
    // The last two are those of children that have ended: PostgreSQL's come and go.
    const own = fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) * TICK_MS;
    return children.reduce((sum, child) => sum + cpuMs(Number(child)), own);
  } catch {
    return Number.NaN;
  }
}
