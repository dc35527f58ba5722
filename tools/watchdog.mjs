import { spawn } from 'node:child_process';

/**
 * The pipe on stdin closes when this process ends, even by kill -9. `read` is a shell builtin:
 * without `cat` on PATH, `cat` would end the process at once. Arguments: $1 pid, $2 first signal,
 * $3 seconds until SIGKILL of the process group, $4 folder to delete (or empty).
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
 * Ends `pid`, the leader of its process group, when this process dies. Call `dismiss` after the
 * guarded process has ended.
 * @param {number} pid
 * @param {{ signal: 'INT' | 'TERM' | 'KILL', graceSeconds: number, deleteFolder?: string |
 * undefined }} how
 * @returns {{ dismiss(): void }}
 */
export function guard(pid, { signal, graceSeconds, deleteFolder = '' }) {
  const shell = spawn(
    '/bin/sh',
    ['-c', script, 'watchdog', String(pid), signal, String(graceSeconds), deleteFolder],
    {
      stdio: ['pipe', 'ignore', 'ignore'],
      // Keeps a Ctrl-C in the terminal from ending the watchdog.
      detached: true,
      cwd: '/',
    },
  );

  shell.unref();
  // Nothing is written, so an error only means that the shell ended early.
  shell.stdin.on('error', () => undefined);
  const pipe = /** @type {{ unref?: () => void }} */ (shell.stdin);
  pipe.unref?.();

  return {
    dismiss() {
      shell.kill('SIGKILL');
    },
  };
}
