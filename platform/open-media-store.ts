import { join } from 'node:path';
import type { MediaStoreEnv } from './env/media-store.ts';
import type { ProcessEnv } from './env/process.ts';
import { localMediaStore } from './media-store-disk.ts';
import type { S3Settings } from './media-store-s3.ts';
import type { MediaStore } from './media-store.ts';

type StoreEnv = MediaStoreEnv & Pick<ProcessEnv, 'CARTE_DATA_DIR'>;

/** Loads the S3 client only if needed. */
export async function openMediaStore(env: StoreEnv): Promise<MediaStore> {
  if (env.MEDIA_STORE === 'disk')
    return localMediaStore(env.MEDIA_DIR ?? join(env.CARTE_DATA_DIR, 'media'));
  const { s3MediaStore } = await import('./media-store-s3.ts');
  return s3MediaStore(s3Settings(env));
}

/** `readEnv` has validated them. */
export const S3_SETTINGS = [
  'MEDIA_S3_ENDPOINT',
  'MEDIA_S3_REGION',
  'MEDIA_S3_BUCKET',
  'MEDIA_S3_ACCESS_KEY',
  'MEDIA_S3_SECRET_KEY',
] as const satisfies readonly (keyof MediaStoreEnv)[];

export function s3Settings(env: Pick<MediaStoreEnv, (typeof S3_SETTINGS)[number]>): S3Settings {
  return {
    endpoint: env.MEDIA_S3_ENDPOINT ?? '',
    region: env.MEDIA_S3_REGION,
    bucket: env.MEDIA_S3_BUCKET,
    accessKey: env.MEDIA_S3_ACCESS_KEY ?? '',
    secretKey: env.MEDIA_S3_SECRET_KEY ?? '',
  };
}

/** Opens the store at the first call. Most workers need none. */
export function lazyMediaStore(env: StoreEnv): () => Promise<MediaStore> {
  let opened: Promise<MediaStore> | undefined;
  return () => (opened ??= openMediaStore(env));
}
