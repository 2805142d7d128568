import { setTimeout as delay } from 'node:timers/promises'
import { LanyardError } from '@lanyard/contracts'
import { createNetworks, type Network, toProviderError } from '@lanyard/networks'
import {
  BaseError,
  concat,
  HttpRequestError,
  numberToHex,
  type PublicClient,
  pad,
  RpcRequestError,
  TransactionNotFoundError,
  TransactionReceiptNotFoundError,
  zeroHash,
} from 'viem'
import { maxNamed } from '../../../domain/events/account-logs/watch-account-logs.ts'
import { codeThatReturns } from '../code-that-returns.ts'
import { type Finding, type Findings, finding } from '../finding.ts'
import type { Check } from '../subject.ts'

/** Calls every method that the service uses, at the sizes that it uses, on each RPC endpoint alone. */
export const checkProviders: Check = async ({ network, node }) => {
  const request = node.overrides ? { ...requests, ...simulations } : requests
  const checks = network.config.rpcUrls.map((url, index) => checkProvider(network, request, url, index))
  return (await Promise.all(checks)).flat()
}

type Requests = Readonly<Record<string, (client: PublicClient, network: Network) => Promise<unknown>>>

/** Addresses that nobody uses. */
const noAccount = `0x${'0'.repeat(36)}a11e` as const
const otherAccount = `0x${'0'.repeat(36)}a11f` as const

const manyAccounts = Array.from({ length: maxNamed }, (_, index) =>
  numberToHex(2n ** 159n + BigInt(index), { size: 20 }),
)

/** The requests by method, besides those of the other checks. */
const requests: Requests = {
  'a batch of requests': (client, { config: { rpcBatch } }) =>
    Promise.all(Array.from({ length: rpcBatch }, () => client.getTransactionCount({ address: noAccount }))),
  eth_getLogs: async (client, { config }) => {
    const toBlock = await client.getBlockNumber()
    const fromBlock = toBlock - BigInt(config.rpcLogRange) + 1n
    return client.getLogs({
      address: config.entryPoint,
      event: { type: 'event', name: 'Preflight', inputs: [] },
      fromBlock: fromBlock > 0n ? fromBlock : 0n,
      toBlock,
    })
  },
  'eth_getLogs of a block by its hash': async (client) =>
    client.getLogs({ address: noAccount, blockHash: (await client.getBlock()).hash }),
  [`eth_getLogs of ${maxNamed} accounts`]: async (client) => {
    const block = numberToHex(await client.getBlockNumber())
    const [address, topics] = [manyAccounts, [zeroHash, null, manyAccounts.map((one) => pad(one))]]
    const filters = [{ address }, { address: noAccount, topics }]
    await Promise.all(
      filters.map((filter) =>
        client.request({ method: 'eth_getLogs', params: [{ ...filter, fromBlock: block, toBlock: block }] }),
      ),
    )
  },
  eth_estimateGas: (client) => client.estimateGas({ account: noAccount, to: otherAccount }),
  eth_sendRawTransaction: async (client, { config: { sendRpcUrls } }) => {
    const rejection = sendRpcUrls.length === 0 ? await askToSend(client) : undefined
    if (rejection) throw rejection
  },
  eth_getBlockByHash: async (client) => client.getBlock({ blockHash: (await client.getBlock()).hash }),
  eth_getTransactionByHash: (client) =>
    client.getTransaction({ hash: zeroHash }).catch(unless(TransactionNotFoundError)),
  eth_getTransactionReceipt: (client) =>
    client.getTransactionReceipt({ hash: zeroHash }).catch(unless(TransactionReceiptNotFoundError)),
  eth_getTransactionCount: (client) =>
    client.getTransactionCount({ address: noAccount, blockTag: 'pending' }),
}

/** What a build sends: the code of EntryPoint and of the simulator as overrides. */
const simulations: Requests = {
  'a simulation of 60 kB': (client) =>
    client.call({
      to: noAccount,
      stateOverride: [
        { address: noAccount, code: concat([codeThatReturns('0x01'), pad('0x', { size: 20_000 })]) },
        { address: otherAccount, code: pad('0x01', { size: 10_000, dir: 'right' }) },
      ],
    }),
}

/** Not to find it is an answer. */
const unless = (absence: new (...args: never[]) => Error) => (error: unknown) => {
  if (!(error instanceof absence)) throw error
}

async function checkProvider(
  { config }: Network,
  request: Requests,
  url: string,
  index: number,
): Promise<Findings> {
  const place = `rpcUrls[${index}]`
  const alone = createNetworks([{ ...config, rpcUrls: [url] }]).get(config.chainId)
  // Another check reports an endpoint that does not serve the network, or that limits requests already there.
  if ((await failureOf(alone.assertChain())) !== undefined) return []
  const findings: Finding[] = []
  for (const [what, send] of Object.entries(request)) {
    const failure = await lastingFailureOf(() => alone.call((client) => send(client, alone)))
    if (failure === undefined) continue
    if (isLimit(failure)) {
      findings.push(...rateLimited(place, messageOf(failure)))
      break
    }
    findings.push(
      ...finding('RPC_LACKS', {
        message: `${place} does not answer what the service asks: ${what}.`,
        expected: what,
        seen: messageOf(failure),
        fix: `Use another address in ${place} of network ${config.chainId} in NETWORKS_FILE.`,
      }),
    )
  }
  const [limits] = alone.limits
  // A request that is too large is first tried without the rest of its batch, which looks like a limit of batches.
  if (
    findings.length === 0 &&
    limits &&
    (limits.batch < config.rpcBatch || limits.logRange < config.rpcLogRange)
  ) {
    const batch = limits.batch < config.rpcBatch ? limits.accepted.batch : config.rpcBatch
    const logRange = limits.logRange < config.rpcLogRange ? limits.accepted.logRange : config.rpcLogRange
    findings.push(
      ...finding('RPC_LIMITED', {
        message: `${place} accepts less in one request. The service learns this, and needs more requests.`,
        expected: `batches of ${config.rpcBatch}, logs of ${config.rpcLogRange} blocks`,
        seen: `batches of ${batch}, logs of ${logRange} blocks`,
        fix: `Nothing. To save the refusals after each start: "rpcBatch": ${batch}, "rpcLogRange": ${logRange} for network ${config.chainId}.`,
      }),
    )
  }
  return findings
}

/** The error of a request; undefined if it succeeds. */
const failureOf = (request: Promise<unknown>): Promise<unknown> =>
  request.then(
    () => undefined,
    (error: unknown) => error,
  )

const isLimit = (error: unknown): error is LanyardError =>
  error instanceof LanyardError && error.details?.reason === 'PROVIDER_LIMIT'

/** Seconds, and how often: this check sends more requests at once than the service. A limit that ends soon allows both. */
const maxLimitWait = 5
const maxLimitWaits = 2

/** The error of a request; undefined if it succeeds, at the latest when a rate limit has ended. */
async function lastingFailureOf(request: () => Promise<unknown>): Promise<unknown> {
  for (let waits = 0; ; waits++) {
    const failure = await failureOf(request())
    if (!isLimit(failure) || waits === maxLimitWaits) return failure
    const { retryAfter = 0 } = failure.details ?? {}
    if (Number(retryAfter) > maxLimitWait) return failure
    await delay(Number(retryAfter) * 1_000)
  }
}

/**
 * @param place - the endpoint, as in the networks file
 * @param seen - the provider's words
 */
export const rateLimited = (place: string, seen: string): Findings =>
  finding('RPC_RATE_LIMITED', {
    message: `The provider of ${place} limits the number of requests, already for this check.`,
    seen,
    fix: 'Use a larger plan, or put another address first.',
  })

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

/** No transaction: a node that takes transactions answers that it cannot read this one. */
const notATransaction = '0x00'

/** Why the endpoint takes no transactions; undefined if it has looked at the bytes. */
export async function askToSend(client: PublicClient): Promise<BaseError | undefined> {
  const [method, params] = ['eth_sendRawTransaction', [notATransaction]] as const
  try {
    await client.request({ method, params: [...params] })
    return undefined
  } catch (error) {
    const said = toProviderError(error, { method, params, now: Date.now() })
    if (!(said instanceof BaseError)) throw error
    // An error in the words of nobody is about the bytes.
    return said === error && isAnswer(said) ? undefined : said
  }
}

const isAnswer = (error: BaseError) =>
  error.walk(
    (inner) =>
      inner instanceof RpcRequestError || (inner instanceof HttpRequestError && inner.status === 400),
  ) !== null
