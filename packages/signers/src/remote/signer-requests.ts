import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http'
import { Agent as HttpsAgent, request as requestHttps } from 'node:https'
import { setTimeout as delay } from 'node:timers/promises'
import { LanyardError } from '@lanyard/contracts'

export interface SignerConnection {
  /** `https://signer.example:9000`; its path is put in front of the API's paths. */
  readonly url: string
  /** Milliseconds for one signature, including all attempts. */
  readonly timeout: number
  /** Sent as `Authorization: Bearer …`. */
  readonly token?: string | undefined
  /** PEM. */
  readonly tls?:
    | {
        /** The certificate authority of the signer's certificate; absent: Node's default authorities. */
        readonly ca?: string | undefined
        /** Our certificate and its key, which identify us to the signer. */
        readonly cert?: string | undefined
        readonly key?: string | undefined
      }
    | undefined
}

export interface SignerAnswer {
  readonly status: number
  readonly text: string
}

type SignerRequest = (method: 'GET' | 'POST', path: string, body?: object) => Promise<SignerAnswer>

/**
 * Maximum number of concurrent requests for one key. It limits the sockets that a hanging signer can block,
 * and a busy key does not block the others.
 */
const maxAtOnce = 16

/** Characters. Enough for thousands of public keys, and far more than a signature needs. */
const maxAnswerLength = 2_000_000

/** Milliseconds before the second attempt. */
const pause = 100

/**
 * Requests to a signer, each with one retry if there was no response or the signer was busy. That is safe: a
 * signature changes nothing at the signer, and one that nobody received has no effect.
 */
export function createSignerRequests({ url, timeout, token, tls }: SignerConnection): SignerRequest {
  const base = url.replace(/\/$/, '')
  const isTls = base.startsWith('https:')
  const options = { keepAlive: true, maxSockets: maxAtOnce }
  /** Keyed by path, which identifies the key. */
  const agents = new Map<string, HttpAgent>()
  function agentOf(path: string): HttpAgent {
    const known = agents.get(path)
    if (known) return known
    const agent = isTls ? new HttpsAgent({ ...options, ...tls }) : new HttpAgent(options)
    agents.set(path, agent)
    return agent
  }
  const open = isTls ? requestHttps : requestHttp
  const headers = {
    Accept: 'text/plain, application/json',
    ...(token !== undefined && { Authorization: `Bearer ${token}` }),
  }

  const once: (...given: [...Parameters<SignerRequest>, AbortSignal]) => Promise<SignerAnswer> = (
    method,
    path,
    body,
    signal,
  ) =>
    new Promise((resolve, reject) => {
      const sent = open(`${base}${path}`, { method, agent: agentOf(path), signal, headers }, (answer) => {
        readText(answer).then((text) => resolve({ status: answer.statusCode ?? 0, text }), reject)
      })
      sent.on('error', reject)
      if (body === undefined) return void sent.end()
      sent.setHeader('Content-Type', 'application/json')
      sent.end(JSON.stringify(body))
    })

  return async (method, path, body) => {
    const signal = AbortSignal.timeout(timeout)
    const attempt = () => once(method, path, body, signal)
    let why: unknown
    try {
      const first = await attempt().catch((error: unknown) => {
        why = error
      })
      if (first && !isBusy(first)) return first
      await delay(pause, undefined, { signal })
      return await attempt()
    } catch (error) {
      throw new LanyardError('SIGNER_UNAVAILABLE', { cause: why ?? error })
    }
  }
}

const isBusy = ({ status }: SignerAnswer) => [429, 502, 503, 504].includes(status)

async function readText(answer: IncomingMessage): Promise<string> {
  answer.setEncoding('utf8')
  let text = ''
  for await (const chunk of answer) {
    text += chunk
    if (text.length > maxAnswerLength) throw new TypeError('the answer does not end')
  }
  return text
}
