import { defaultPayloadConverter, type Headers } from '@temporalio/common';

const REQUEST_ID = 'carte-request-id';

/** Headers that carry the id of the API request to workflows and their activities; none when there is no request. */
export function requestHeader(requestId: string | undefined): Headers {
  return requestId === undefined ? {} : { [REQUEST_ID]: defaultPayloadConverter.toPayload(requestId) };
}

/** The part of these headers that carries the id of a request. */
export function requestHeaderIn(headers: Headers): Headers {
  const payload = headers[REQUEST_ID];
  return payload === undefined ? {} : { [REQUEST_ID]: payload };
}

/** The id of the request in these headers. */
export function requestIdIn(headers: Headers): string | undefined {
  const payload = headers[REQUEST_ID];
  return payload === undefined ? undefined : defaultPayloadConverter.fromPayload<string>(payload);
}
