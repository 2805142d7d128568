import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { version } from '../../../platform/version.ts'
import { lookupTarget, parseTarget, type TargetPolicy } from './webhook-target.ts'

/** Milliseconds that a receiver has to answer. */
const timeout = 10_000

/** Number of characters of an answer that are kept. */
const keptAnswer = 500

export interface WebhookAnswer {
  /** Null when there was no answer. */
  readonly status: number | null
  /** The start of the answer, or the reason why there was none. */
  readonly text: string
}

export interface WebhookRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Sends one webhook. Redirects are not followed: they count as answers. It never throws. */
export async function postWebhook(
  { url, headers, body }: WebhookRequest,
  policy: TargetPolicy & { readonly lookup?: ReturnType<typeof lookupTarget> },
): Promise<WebhookAnswer> {
  try {
    const target = parseTarget(url, policy)
    const send = target.protocol === 'https:' ? httpsRequest : httpRequest
    return await new Promise((resolve, reject) => {
      const request = send(target, {
        method: 'POST',
        // Uses a new connection: a kept-alive one may lead to an address that the name no longer resolves to.
        agent: false,
        lookup: policy.lookup ?? lookupTarget(policy),
        signal: AbortSignal.timeout(timeout),
        headers: {
          ...headers,
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
          'user-agent': `Lanyard/${version}`,
        },
      })
      request.on('error', reject)
      request.on('response', (response) => readAnswer(response).then(resolve, reject))
      request.end(body)
    })
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error)
    const isTimeout = Reflect.get(Object(error), 'code') === 'ABORT_ERR'
    return { status: null, text: isTimeout ? `No answer within ${timeout / 1000} seconds.` : storable(text) }
  }
}

async function readAnswer(response: IncomingMessage): Promise<WebhookAnswer> {
  let text = ''
  try {
    response.setEncoding('utf8')
    for await (const chunk of response) {
      text += chunk
      if (text.length >= keptAnswer) break // this closes the connection
    }
  } catch {
    // The body failed, but the status is known.
  }
  return { status: response.statusCode ?? null, text: storable(text) }
}

/** PostgreSQL stores no NUL, and a lone surrogate is not valid text. */
const storable = (text: string) => text.slice(0, keptAnswer).replaceAll('\0', '').toWellFormed()
