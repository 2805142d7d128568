import { createServer, request as httpRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { freshDatabase, type TestDatabase } from '@lanyard/database/testing'
import { type DevnetNode, startNode } from '@lanyard/devnet'
import { networkConfig } from '@lanyard/networks'
import { logEvidence, noteStarted } from '@lanyard/testing'
import { type Service, startService } from '../src/app/server.ts'
import type { Services } from '../src/pipeline/services.ts'
import { readEnv } from '../src/platform/environment/env.ts'
import { createLog } from '../src/platform/log/log.ts'
import { createApp } from '../src/transport/app.ts'
import { ampleLimits } from './ample-limits.ts'

export interface HttpService extends AsyncDisposable {
  readonly service: Service
  readonly node: DevnetNode
  readonly database: TestDatabase
  readonly url: string
  /** The parsed log lines of the service. */
  readonly logged: readonly Record<string, unknown>[]
}

/**
 * Starts the service in this process, with its own port, chain and database.
 *
 * @param settings - fields of the network's configuration; a function receives the chain's RPC URL
 */
export async function startHttpService(
  variables: Record<string, string> = {},
  settings: object | ((rpcUrl: string) => Promise<object>) = {},
  openFresh: () => Promise<TestDatabase> = freshDatabase,
): Promise<HttpService> {
  const logged: Record<string, unknown>[] = []
  const evidence = logEvidence('service')
  const write = (line: string) => {
    logged.push(JSON.parse(line))
    evidence.write(line)
  }
  const log = createLog({ LOG_LEVEL: 'debug' }, { write })
  const node = await startNode()
  const database = await openFresh()
  noteStarted('services in a test worker')
  const service = await startService(readEnv({ PORT: '0', NODE_ENV: 'test', ...ampleLimits, ...variables }), {
    log,
    database,
    networks: [
      networkConfig.parse({
        chainId: node.chainId,
        name: 'Test',
        rpcUrls: [node.rpcUrl],
        local: true,
        pollingInterval: 25,
        ...(typeof settings === 'function' ? await settings(node.rpcUrl) : settings),
      }),
    ],
  })
  return {
    service,
    node,
    database,
    url: service.url,
    logged,
    async [Symbol.asyncDispose]() {
      await service.close()
      await database[Symbol.asyncDispose]()
      await node.stop()
    },
  }
}

/** Serves the HTTP interface for the given services, for example for services that fail. */
export async function serveApp(services: Services): Promise<AsyncDisposable & { readonly url: string }> {
  const server = createServer(createApp(services))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests read single fields of the answer
  readonly body: any
}

export async function ask(url: string, init: RequestInit = {}): Promise<Answer> {
  // The server may close a kept-alive connection just as a busy client reuses it.
  const headers = new Headers(init.headers)
  if (!headers.has('connection')) headers.set('connection', 'close')
  const response = await fetch(url, { redirect: 'manual', ...init, headers })
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.includes('json')
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: isJson && text ? JSON.parse(text) : undefined,
  }
}

/** Sends methods and paths that `fetch` refuses to send. */
export function askRaw(url: string, method: string, target = new URL(url).pathname): Promise<number> {
  return new Promise((resolve, reject) => {
    httpRequest(url, { method, path: target }, (response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
      .on('error', reject)
      .end()
  })
}

export const postJson = (url: string, body: unknown, headers: Record<string, string> = {}) =>
  ask(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })

/** Repeats the request after `Retry-After` while an earlier request with the same Idempotency-Key is running. */
export async function askUntilDone(send: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    const answer = await send()
    const code = answer.body?.code ?? answer.body?.error?.data?.code
    if (code !== 'REQUEST_IN_PROGRESS') return answer
    await delay(Number(answer.headers.get('retry-after')) * 1000)
  }
}
