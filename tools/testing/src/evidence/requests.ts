import { subscribe } from 'node:diagnostics_channel'
import { keepText } from './evidence.ts'

interface Message {
  readonly request: { method: string; origin: string; path: string }
  readonly response?: { statusCode: number }
  readonly chunk?: Uint8Array
  readonly error?: unknown
}

/** Characters of a body: enough for a JSON-RPC method, a path of an error, the start of a parameter. */
const bodyLimit = 500

let isKeeping = false

/** Keeps the last requests that `fetch` makes in this process, with the beginning of their bodies and answers. May be called for each test file. */
export function keepRequests(): void {
  if (isKeeping) return
  isKeeping = true
  const text = keepText('requests.log')
  const note = (channel: string, describe: (message: Message) => string) =>
    subscribe(channel, (message) => {
      const { request } = message as Message
      const at = new Date().toISOString().slice(11)
      text.add(`${at} ${request.method} ${request.origin}${request.path} ${describe(message as Message)}\n`)
    })
  const body = ({ chunk }: Message) => Buffer.from(chunk ?? []).toString('utf8', 0, bodyLimit)
  note('undici:request:bodyChunkSent', (message) => `> ${body(message)}`)
  note('undici:request:headers', ({ response }) => `${response?.statusCode}`)
  note('undici:request:bodyChunkReceived', (message) => `< ${body(message)}`)
  note('undici:request:error', ({ error }) => `failed: ${String(error)}`)
}
