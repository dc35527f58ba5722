import { S3Driver } from 'flydrive/drivers/s3';
import { mediaStoreOn, type MediaStore } from './media-store.ts';

export type S3Settings = {
  endpoint: string;
  region: string;
  bucket: string;
  accessKey: string;
  secretKey: string;
};

/** For several API hosts. Writes are atomic. */
export function s3MediaStore(settings: S3Settings): MediaStore {
  return mediaStoreOn(
    new S3Driver({
      endpoint: settings.endpoint,
      region: settings.region,
      bucket: settings.bucket,
      credentials: { accessKeyId: settings.accessKey, secretAccessKey: settings.secretKey },
      // Few other storages serve buckets as host names.
      forcePathStyle: true,
      visibility: 'private',
      supportsACL: false,
      // The SDK has no time-out by default.
      maxAttempts: 2,
      requestHandler: {
        connectionTimeout: 2_000,
        requestTimeout: 10_000,
        throwOnRequestTimeout: true,
      },
    }),
  );
}
