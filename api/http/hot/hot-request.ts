export type HotRequestHeaders = {
  requestId: string | undefined;
  ifNoneMatch: string | undefined;
  acceptEncoding: string | undefined;
  acceptLanguage: string | undefined;
  origin: string | undefined;
  hasBody: boolean;
};

/**
 * Reads the raw list: `request.headers` would cost more than the rest of a hot read. Repeated
 * headers form a list (RFC 9110); of request id and origin, the first counts.
 */
export function readHotHeaders(raw: readonly string[]): HotRequestHeaders {
  const headers: HotRequestHeaders = {
    requestId: undefined,
    ifNoneMatch: undefined,
    acceptEncoding: undefined,
    acceptLanguage: undefined,
    origin: undefined,
    hasBody: false,
  };

  for (let at = 0; at + 1 < raw.length; at += 2) {
    const name = raw[at] ?? '';
    // Comparing lengths first is cheaper.
    switch (name.length) {
      case 6:
        if (name.toLowerCase() === 'origin') headers.origin ??= raw[at + 1];
        break;
      case 12:
        if (name.toLowerCase() === 'x-request-id') headers.requestId ??= raw[at + 1];
        break;
      case 13:
        if (name.toLowerCase() === 'if-none-match')
          headers.ifNoneMatch = listed(headers.ifNoneMatch, raw[at + 1]);
        break;
      case 14:
        if (name.toLowerCase() === 'content-length') headers.hasBody ||= Number(raw[at + 1]) > 0;
        break;
      case 15:
        if (name.toLowerCase() === 'accept-encoding')
          headers.acceptEncoding = listed(headers.acceptEncoding, raw[at + 1]);
        if (name.toLowerCase() === 'accept-language')
          headers.acceptLanguage = listed(headers.acceptLanguage, raw[at + 1]);
        break;
      case 17:
        if (name.toLowerCase() === 'transfer-encoding') headers.hasBody = true;
        break;
      default:
    }
  }

  return headers;
}

function listed(before: string | undefined, value: string | undefined): string | undefined {
  return before === undefined ? value : `${before}, ${value}`;
}
