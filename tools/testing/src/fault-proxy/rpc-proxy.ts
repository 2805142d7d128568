import {
  Agent,
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http'
import { buffer } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { beginBehind } from './behind.ts'
import { listenOn } from './listen.ts'
import {
  concerns,
  falsify,
  type RpcAnswer,
  type RpcFault,
  type RpcRequest,
  type RpcRule,
  refuse,
  rewrite,
} from './rpc-rule.ts'

/** The traffic since the last `take`. */
export interface Traffic {
  /** HTTP round trips. */
  readonly trips: number
  /** JSON-RPC requests; a batch contains several. */
  readonly requests: number
  /** Those of them that are `eth_call`. */
  readonly calls: number
}

export interface RpcProxy extends AsyncDisposable {
  readonly url: string
  readonly port: number
  /**
   * Replaces all rules. Without rules, the proxy forwards normally. Requests in progress keep their rules.
   */
  set(...rules: readonly RpcRule[]): void
  /** Returns the traffic since the last call, and resets the counters. */
  take(): Traffic
}

/**
 * A proxy in front of a JSON-RPC server over HTTP. It counts requests, and changes answers according to its
 * rules.
 *
 * @param latency - milliseconds added to each round trip, as if the server were farther away; default 0
 * @param pass - called for each round trip, which continues once the promise resolves
 */
export async function startRpcProxy(
  target: string,
  latency = 0,
  pass?: (requests: readonly RpcRequest[]) => Promise<void>,
): Promise<RpcProxy> {
  const agent = new Agent({ keepAlive: true })
  const closing = new AbortController()
  let rules: { rule: RpcRule; left: number; met: number }[] = []
  let traffic = { trips: 0, requests: 0, calls: 0 }

  /** The rules for a round trip. Each use is counted once. */
  function takeRules(requests: readonly RpcRequest[]): RpcRule[] {
    const taken = rules.filter((one) => {
      const { rule } = one
      if (one.left <= 0 || !requests.some((request) => concerns(rule, request))) return false
      if (rule.fault.kind === 'http' && !(rule.fault.when?.(requests) ?? true)) return false
      one.met++
      return one.met % (rule.every ?? 1) === 0
    })
    for (const one of taken) one.left--
    return taken.map(({ rule }) => rule)
  }

  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy())
  })

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request)
    const requested: RpcRequest | RpcRequest[] = JSON.parse(body.toString())
    const requests = Array.isArray(requested) ? requested : [requested]
    traffic.trips++
    traffic.requests += requests.length
    traffic.calls += requests.filter(({ method }) => method === 'eth_call').length
    await pass?.(requests)
    const applied = takeRules(requests)
    const wait = latency + applied.reduce((sum, { fault }) => sum + delayOf(fault), 0)
    if (wait > 0) await delay(wait, undefined, { signal: closing.signal })

    const whole = applied.map(({ fault }) => fault).find(isOfRoundTrip)
    if (whole?.kind === 'silence') return
    if (whole?.kind === 'http') {
      const { status, body: text = '', headers = {} } = whole
      const sent = typeof text === 'string' ? text : text(requests)
      return void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(sent)
    }
    const rejected = requests.flatMap((one) => refuse(one, applied) ?? [])
    if (rejected.length > 0) {
      const rest = requests.filter(({ id }) => !rejected.some((one) => one.id === id))
      const answers = [...rejected, ...(rest.length === 0 ? [] : await askAll(rest))]
      response.writeHead(200, { 'content-type': 'application/json' })
      return void response.end(JSON.stringify(Array.isArray(requested) ? answers : answers[0]))
    }
    const lag = applied.map(({ fault }) => fault).find((fault) => fault.kind === 'behind')
    const behind = lag && (await beginBehind(target, lag.blocks))
    const question = (one: RpcRequest) => rewrite(behind ? behind.question(one) : one, applied)
    const questions = Array.isArray(requested) ? requested.map(question) : question(requested)
    const answered = await ask(applied.length === 0 ? body : Buffer.from(JSON.stringify(questions)))
    if (whole?.kind === 'cut') return void response.socket?.resetAndDestroy()
    if (whole?.kind === 'truncate' || whole?.kind === 'stall') {
      const begin = await beginAnswer(response, answered, whole.bytes)
      if (whole.kind === 'truncate') begin.end()
      return
    }
    const headers = { 'content-type': 'application/json' }
    if (applied.length === 0) {
      response.writeHead(answered.statusCode ?? 502, headers)
      return void answered.pipe(response)
    }
    const told: RpcAnswer | RpcAnswer[] = JSON.parse((await buffer(answered)).toString())
    const change = (one: RpcAnswer) => {
      const request = requests.find(({ id }) => id === one.id)
      const known = request && behind ? behind.answer(one, request) : one
      return request ? falsify(known, request, applied) : one
    }
    const changed = Array.isArray(told) ? told.map(change).filter((one) => one !== undefined) : change(told)
    response.writeHead(200, headers).end(JSON.stringify(changed))
  }

  const askAll = async (requests: readonly RpcRequest[]): Promise<RpcAnswer[]> =>
    JSON.parse((await buffer(await ask(Buffer.from(JSON.stringify(requests))))).toString())

  const ask = (body: Buffer): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      const headers = { 'content-type': 'application/json', 'content-length': body.length }
      httpRequest(target, { method: 'POST', agent, headers }, resolve).on('error', reject).end(body)
    })

  await listenOn(server, 0)
  const address = server.address()
  if (address === null || typeof address === 'string') throw new TypeError('It listens on a port')

  return {
    url: `http://127.0.0.1:${address.port}`,
    port: address.port,
    set(...next) {
      rules = next.map((rule) => ({ rule, left: rule.times ?? Number.POSITIVE_INFINITY, met: 0 }))
    },
    take() {
      const taken = traffic
      traffic = { trips: 0, requests: 0, calls: 0 }
      return taken
    },
    async [Symbol.asyncDispose]() {
      closing.abort()
      agent.destroy()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const delayOf = (fault: RpcFault) => (fault.kind === 'delay' ? fault.milliseconds : 0)

type RoundTripFault = Extract<RpcFault, { kind: 'silence' | 'http' | 'cut' | 'truncate' | 'stall' }>

const kindsOfRoundTrip: readonly string[] = [
  'silence',
  'http',
  'cut',
  'truncate',
  'stall',
] satisfies RoundTripFault['kind'][]

const isOfRoundTrip = (fault: RpcFault): fault is RoundTripFault => kindsOfRoundTrip.includes(fault.kind)

/** Announces the length of the whole answer, so that its reader notices missing bytes. */
async function beginAnswer(
  response: ServerResponse,
  answered: IncomingMessage,
  bytes: number,
): Promise<{ end(): void }> {
  const whole = await buffer(answered)
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': whole.length })
  await new Promise((resolve) =>
    response.write(whole.subarray(0, Math.min(bytes, whole.length - 1)), resolve),
  )
  return { end: () => response.socket?.end() }
}
