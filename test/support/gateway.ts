import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { resolveProgram } from '../../packages/dev/programs/programs.ts';
import { freeLowPort } from '../../tools/ports.ts';
import { eventually, root, startProcess } from './processes.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { pathUnlessMandatory } from './unless-mandatory.ts';

export type Gateway = {
  url: string;
  pid: number;
  /** Returns its output about faults. */
  output: () => string;
  /** That, and its log of requests. */
  log(): Promise<string>;
  stop(): Promise<void>;
};

/**
 * The nginx of this machine, or one from Debian's package; undefined where there is none, and with
 * CI=true an error.
 */
export async function nginxForTests(): Promise<string | undefined> {
  return pathUnlessMandatory(
    'nginx',
    await resolveProgram('nginx', { log: (line) => void process.stderr.write(`${line}\n`) }),
  );
}

/**
 * Starts `nginx` with the literal `ops/gateway.conf`, except for addresses: `apis` are those of
 * api-1 and api-2. Numeric addresses need no DNS, which Debian's nginx (before 1.27.3) cannot use
 * for upstreams.
 */
export async function startGateway(nginxPath: string, apis: readonly [string, string]): Promise<Gateway> {
  const folder = await temporaryFolder('gateway');
  const port = await freeLowPort();
  const conf = [
    // A socket cannot be opened by its name.
    ['/dev/stdout', join(folder, 'requests.log')] as const,
    ['/dev/stderr', 'stderr'] as const,
    ['/var/cache/nginx/carte-media', join(folder, 'media')] as const,
    ['/var/cache/nginx/carte', join(folder, 'menus')] as const,
    ['listen 8080;', `listen 127.0.0.1:${port};`] as const,
    ...apis.map((url, at) => [`api-${at + 1}:8080 max_fails=0 resolve`, `${new URL(url).host} max_fails=0`] as const),
  ].reduce((text, [there, here]) => text.replace(there, here), await readFile(`${root}ops/gateway.conf`, 'utf8'));
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  for (const each of temporary) await mkdir(join(folder, each));
  await writeFile(
    join(folder, 'nginx.conf'),
    [
      // With fewer connections than a test opens, nginx resets some that it has just accepted.
      'daemon off; worker_processes 1; error_log stderr warn; events { worker_connections 4096; }',
      `user root; pid ${folder}/nginx.pid;`,
      `http { ${temporary.map((each) => `${each}_temp_path ${folder}/${each};`).join(' ')}`,
      conf,
      '}',
    ].join('\n'),
  );
  const nginx = startProcess(
    'nginx',
    nginxPath,
    ['-p', folder, '-c', join(folder, 'nginx.conf'), '-e', 'stderr'],
    process.env,
  );
  const url = `http://127.0.0.1:${port}`;
  const gone = nginx.exited.then((code) => {
    throw new Error(`nginx ended with ${code}: ${nginx.output()}`);
  });
  gone.catch(() => undefined);
  await Promise.race([eventually('nginx listens', () => fetch(url).then(() => true)), gone]);
  return {
    url,
    pid: nginx.child.pid!,
    output: nginx.output,
    log: async () => (await readFile(join(folder, 'requests.log'), 'utf8')) + nginx.output(),
    async stop() {
      await nginx.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
