import { setTimeout as delay } from 'node:timers/promises'
import { LanyardError } from '@lanyard/contracts'
import { failedWith, unusable, within } from './kms-service.ts'

/** Milliseconds before the second attempt. */
const retryDelay = 100

/** Bytes. A public key and a signature need less than two thousand. */
const maxAnswerBytes = 100_000

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
        Authorization: `Bearer ${await within(token(), signal).catch(withoutRequest)}`,
        'Content-Type': 'application/json',
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      // Its source is configuration: nothing sends the token elsewhere.
      redirect: 'manual',
      signal,
    })
    return { status: response.status, text: await readText(response) }
  }
  let why: unknown
  const first = await once().catch((error: unknown) => {
    if (error instanceof LanyardError) throw error
    why = error
  })
  const answer = first && !isBusy(first.status) ? first : await again(once, signal, why)
  if (answer.status !== 200)
    throw failedWith(answer.status, `the key service answered ${answer.status}: ${answer.text.slice(0, 300)}`)
  try {
    return JSON.parse(answer.text)
  } catch {
    throw unusable('the key service answered no JSON')
  }
}

/** @param why - of the first failure, which tells more than the end of the time that it left */
async function again<T>(once: () => Promise<T>, signal: AbortSignal, why: unknown): Promise<T> {
  try {
    await delay(retryDelay, undefined, { signal })
    return await once()
  } catch (error) {
    throw error instanceof LanyardError ? error : failedWith(undefined, why ?? error)
  }
}

/** The errors of the libraries of credentials have the request in them, with tokens and assertions that others could use. */
function withoutRequest(error: unknown): never {
  throw new Error(`no token for the key service: ${error instanceof Error ? error.message : String(error)}`)
}

/** @throws SIGNER_FAILED if it does not end */
async function readText({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of body ?? []) {
    chunks.push(chunk)
    length += chunk.length
    if (length > maxAnswerBytes) throw unusable("the key service's answer does not end")
  }
  return Buffer.concat(chunks).toString()
}

const isBusy = (status: number) => [429, 500, 502, 503, 504].includes(status)
