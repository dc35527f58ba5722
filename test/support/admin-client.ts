/** A signed-in client of the admin API. Throws the problem document on an unexpected status. */
export type AdminClient = {
  get<T>(path: string): Promise<T>;
  post<T>(path: string, body?: unknown, headers?: Record<string, string>): Promise<T>;
  patch<T>(path: string, body: unknown): Promise<T>;
  raw(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Response>;
  accessToken: string;
};

/** Signs in a new user and replaces the initial password. */
export async function newcomerClient(
  baseUrl: string,
  email: string,
  password: string,
): Promise<AdminClient> {
  const client = await adminClient(baseUrl, email, password);
  await client.post('/me/password', {
    currentPassword: password,
    newPassword: `${password} from now on`,
  });
  return client;
}

/** Signs in at `baseUrl` (scheme, host and port). Throws the problem document if rejected. */
export async function adminClient(
  baseUrl: string,
  email: string,
  password: string,
): Promise<AdminClient> {
  const prefix = `${baseUrl}/api/admin/v1`;
  const signedIn = await fetch(`${prefix}/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  });
  if (!signedIn.ok)
    throw new Error(`sign-in answered ${signedIn.status}: ${await signedIn.text()}`);
  const { accessToken } = (await signedIn.json()) as { accessToken: string };

  const raw = (
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ) =>
    fetch(prefix + path, {
      method,
      headers: {
        authorization: `Bearer ${accessToken}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  const json = async <T>(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<T> => {
    const response = await raw(method, path, body, headers);
    if (!response.ok)
      throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`);
    return (response.status === 204 ? undefined : await response.json()) as T;
  };
  return {
    accessToken,
    raw,
    get: (path) => json('GET', path),
    post: (path, body, headers) => json('POST', path, body ?? {}, headers),
    patch: (path, body) => json('PATCH', path, body),
  };
}
