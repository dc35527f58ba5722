import { S3Driver } from 'flydrive/drivers/s3';
import { mediaStoreOn, type MediaStore } from './media-store.ts';

export type S3Settings = { endpoint: string; region: string; bucket: string; accessKey: string; secretKey: string };

/**
 * A store in a bucket of S3-compatible storage, for several API hosts. An object appears whole or
 * not at all.
 */
export function s3MediaStore(settings: S3Settings): MediaStore {
  return mediaStoreOn(
    new S3Driver({
      endpoint: settings.endpoint,
      region: settings.region,
      bucket: settings.bucket,
      credentials: { accessKeyId: settings.accessKey, secretAccessKey: settings.secretKey },
      // Storages other than Amazon's rarely serve a bucket as a host name, and images are served
      // through the API.
      forcePathStyle: true,
      visibility: 'private',
      supportsACL: false,
      // The SDK would wait without an end: an upload or a read of an image fails within seconds
      // instead.
      maxAttempts: 2,
      requestHandler: { connectionTimeout: 2_000, requestTimeout: 10_000, throwOnRequestTimeout: true },
    }),
  );
}
