import { once } from 'node:events'
import { type RequestOptions, request } from 'node:http'
import { text as readText } from 'node:stream/consumers'

/** Sends a request as cheaply as Node.js can: the clients share the processors with what is measured. POST if it has a body. */
export async function exchange(
  url: string,
  {
    body,
    headers,
    ...options
  }: Omit<RequestOptions, 'headers'> & {
    readonly body?: string | undefined
    readonly headers?: Readonly<Record<string, string>>
  },
): Promise<{ readonly status: number; readonly text: string }> {
  const sent = request(url, {
    ...(body !== undefined && { method: 'POST' }),
    ...options,
    headers: {
      ...(body !== undefined && {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
      }),
      ...headers,
    },
  }).end(body)
  const [response] = await once(sent, 'response')
  return { status: response.statusCode, text: await readText(response) }
}
