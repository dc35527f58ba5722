import { spawn } from 'node:child_process';

/**
 * The pipe on standard input closes when this process ends, however it ends (kill -9 included), and
 * the shell then ends the guarded process. It waits with a word of its own, because a PATH without
 * `cat` would end the process at once. A pipe instead of polling: it acts at once and costs
 * nothing. $1 pid, $2 first signal, $3 seconds until SIGKILL of the whole process group, $4 folder
 * to delete (or empty).
 */
const script = `
while read -r _; do :; done
kill -s "$2" "$1" 2>/dev/null
n=0
while kill -0 "$1" 2>/dev/null && [ $n -lt $(($3 * 10)) ]; do sleep 0.1; n=$((n + 1)); done
kill -s KILL -- "-$1" 2>/dev/null
if [ -n "$4" ]; then rm -rf -- "$4"; fi
`;

/**
 * Ends `pid` (the leader of its own process group) when this process dies.
 * @param {number} pid
 * @param {{ signal: 'INT' | 'TERM' | 'KILL', graceSeconds: number, deleteFolder?: string |
 * undefined }} how
 * @returns {{ dismiss(): void }} `dismiss` ends the watch; to be called once the guarded process
 * has ended.
 */
export function guard(pid, { signal, graceSeconds, deleteFolder = '' }) {
  const shell = spawn('/bin/sh', ['-c', script, 'watchdog', String(pid), signal, String(graceSeconds), deleteFolder], {
    stdio: ['pipe', 'ignore', 'ignore'],
    // Its own session: Ctrl-C in the terminal must not take the watchdog away.
    detached: true,
    cwd: '/',
  });
  shell.unref();
  // Writing never happens, so the only error is the shell's early end; the guarded process is then
  // merely unwatched.
  shell.stdin.on('error', () => undefined);
  const pipe = /** @type {{ unref?: () => void }} */ (shell.stdin);
  pipe.unref?.();
  return {
    dismiss() {
      shell.kill('SIGKILL');
    },
  };
}
