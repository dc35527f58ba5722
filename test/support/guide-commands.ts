import { readCode } from './guide-blocks.ts';

/** A command of the host, or a script for the reader's open shell. */
export type GuideStep = { kind: 'host' | 'script'; text: string };

/** Blocks that start with `docker` or `npm` contain one command per line. */
export async function guideSteps(path: string): Promise<GuideStep[]> {
  return (await readCode(path, 'sh')).flatMap((block): GuideStep[] =>
    /^(?:docker|npm) /.test(block)
      ? block
          .trim()
          .split('\n')
          .map((text) => ({ kind: 'host', text }))
      : [{ kind: 'script', text: block }],
  );
}

export type ComposeCommand =
  | { kind: 'up'; service: string | undefined }
  | { kind: 'run'; service: string; command: string[] | undefined };

/** Undefined for other commands, which need a container engine. */
export function composeCommand(line: string): ComposeCommand | undefined {
  const [, kind, rest = ''] = /^docker compose (up|run) (.*)$/.exec(line) ?? [];
  if (kind === undefined) return undefined;
  const words = rest.split(' ').filter((word) => !word.startsWith('-'));
  const [service, ...command] = words;
  if (kind === 'up') return { kind, service };
  if (service === undefined) throw new Error(`No service in: ${line}`);
  return { kind: 'run', service, command: command.length === 0 ? undefined : command };
}
