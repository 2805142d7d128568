import { Agent, request as httpRequest } from 'node:http'
import { parentPort, workerData } from 'node:worker_threads'

/** A request to send, and its answer. */
export interface Sent {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array | undefined
}

export interface Received {
  readonly status: number
  readonly text: string
}

const agent = new Agent({ keepAlive: true, maxSockets: 1 })
const { url } = workerData as { readonly url: string }

/** Sends requests for another thread, whose processor time is then only the service's. */
parentPort?.on('message', ({ method, path, headers, body }: Sent) => {
  let isAnswered = false
  const reply = (received: Received) => {
    if (isAnswered) return
    isAnswered = true
    parentPort?.postMessage(received)
  }
  const outgoing = httpRequest(url, { method, path, agent, headers: { ...headers } }, (response) => {
    const chunks: Buffer[] = []
    response.on('data', (chunk: Buffer) => chunks.push(chunk))
    response.on('end', () =>
      reply({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString().slice(0, 2_000) }),
    )
    response.on('error', () => reply({ status: 0, text: '' }))
  })
  if (body) outgoing.setHeader('content-length', body.byteLength)
  outgoing.on('error', () => reply({ status: 0, text: '' }))
  outgoing.end(body)
})
