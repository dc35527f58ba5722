import { ADMIN, type TestApi } from './api.ts';
import { adminClient, type AdminClient } from './admin-client.ts';

export type UploadedRendition = {
  name: string;
  density: number;
  format: string;
  width: number;
  height: number;
  bytes: number;
  url: string;
};
export type UploadedMedia = {
  id: number;
  url: string;
  width: number;
  height: number;
  renditions: UploadedRendition[];
};

export type UploadOptions = {
  name?: string;
  type?: string;
  fields?: Record<string, string>;
  headers?: Record<string, string>;
};

export async function uploader(api: Pick<TestApi, 'url'>): Promise<{
  admin: AdminClient;
  upload: (bytes: Buffer, options?: UploadOptions) => Promise<Response>;
  send: (body: FormData | string, headers?: Record<string, string>) => Promise<Response>;
}> {
  const admin = await adminClient(api.url, ADMIN.email, ADMIN.password);
  const send = (body: FormData | string, headers: Record<string, string> = {}) =>
    fetch(`${api.url}/api/admin/v1/media`, {
      method: 'POST',
      headers: { authorization: `Bearer ${admin.accessToken}`, ...headers },
      body,
    });
  return {
    admin,
    send,
    upload(bytes, options = {}) {
      const form = new FormData();
      for (const [field, value] of Object.entries(options.fields ?? {})) form.set(field, value);
      const file = new Blob([new Uint8Array(bytes)], { type: options.type ?? 'image/jpeg' });
      form.set('file', file, options.name ?? 'picture.jpg');
      return send(form, options.headers);
    },
  };
}

export async function readProblem(response: Response) {
  const body = (await response.json()) as {
    type: string;
    errors?: { field: string; code: string }[];
  };
  return {
    status: response.status,
    kind: body.type.split('/').at(-1),
    codes: body.errors?.map((error) => error.code),
  };
}
