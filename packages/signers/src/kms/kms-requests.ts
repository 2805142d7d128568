import { setTimeout as delay } from 'node:timers/promises'
import { failedWith, unusable } from './kms-service.ts'

/** Milliseconds before the second attempt. */
const retryDelay = 100

interface KmsRequest {
  readonly url: string
  /** Undefined: a GET. */
  readonly body?: object
  /** Milliseconds, all attempts together. */
  readonly timeout: number
  /** The access token of a request. */
  readonly token: () => Promise<string>
}

/**
 * A request to a key service whose API is JSON over HTTP. It is sent again once if there was no answer or the service was busy:
 * a signature changes nothing there.
 *
 * @throws SIGNER_UNAVAILABLE, SIGNER_FAILED
 */
export async function requestKms({ url, body, timeout, token }: KmsRequest): Promise<unknown> {
  const signal = AbortSignal.timeout(timeout)
  const once = async () => {
    const response = await fetch(url, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        Authorization: `Bearer ${await within(token(), signal)}`,
        'Content-Type': 'application/json',
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      // Its source is configuration: nothing sends the token elsewhere.
      redirect: 'error',
      signal,
    })
    return { status: response.status, text: await response.text() }
  }
  const first = await once().catch(() => undefined)
  const answer = first && !isBusy(first.status) ? first : await again(once, signal)
  if (answer.status !== 200)
    throw failedWith(answer.status, `the key service answered ${answer.status}: ${answer.text.slice(0, 300)}`)
  try {
    return JSON.parse(answer.text)
  } catch {
    throw unusable('the key service answered no JSON')
  }
}

async function again<T>(once: () => Promise<T>, signal: AbortSignal): Promise<T> {
  try {
    await delay(retryDelay, undefined, { signal })
    return await once()
  } catch (error) {
    throw failedWith(undefined, error)
  }
}

/** The libraries of credentials have time-outs of their own, which are longer. */
const within = <T>(work: Promise<T>, signal: AbortSignal): Promise<T> =>
  Promise.race([
    work,
    new Promise<never>((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    }),
  ])

const isBusy = (status: number) => [429, 500, 502, 503, 504].includes(status)
