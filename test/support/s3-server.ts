import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { toolFolder } from '../../packages/dev/programs/tool-folders.ts';

/** The server ships no types. */
type S3rver = { run(): Promise<{ port: number }>; close(): Promise<void> };

export const S3_ACCESS = 'S3RVER';

export async function startS3(
  directory: string,
  buckets: readonly string[],
): Promise<{ url: string; close(): Promise<void> }> {
  const modules = await toolFolder('s3rver', () => undefined);
  const { default: Server } = (await import(
    pathToFileURL(join(modules, '@20minutes/s3rver/lib/s3rver.js')).href
  )) as {
    default: new (options: object) => S3rver;
  };
  const server = new Server({
    port: 0,
    address: '127.0.0.1',
    directory,
    silent: true,
    // Unlike the SDK, the server signs a bucket URL without the trailing slash.
    allowMismatchedSignatures: true,
    configureBuckets: buckets.map((name) => ({ name, configs: [] })),
  });
  const { port } = await server.run();
  return { url: `http://127.0.0.1:${port}`, close: () => server.close() };
}
