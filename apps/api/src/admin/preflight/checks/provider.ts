import { LanyardError } from '@lanyard/contracts'
import { createNetworks, type Network } from '@lanyard/networks'
import { type PublicClient, TransactionNotFoundError, TransactionReceiptNotFoundError, zeroHash } from 'viem'
import { type Finding, finding } from '../finding.ts'
import type { Check } from '../subject.ts'

/** Calls every method that the service uses, at the sizes that it uses, on each RPC endpoint alone. */
export const checkProviders: Check = async ({ network }) =>
  (await Promise.all(network.config.rpcUrls.map((url, index) => checkProvider(network, url, index)))).flat()

/** Topics that no log has, so that only the range counts. */
const noAccount = `0x${'0'.repeat(39)}1` as const

/** The requests by method, besides those of the other checks. */
const requests: Readonly<Record<string, (client: PublicClient, network: Network) => Promise<unknown>>> = {
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
  eth_getBlockByHash: async (client) => client.getBlock({ blockHash: (await client.getBlock()).hash }),
  eth_getTransactionByHash: (client) =>
    client.getTransaction({ hash: zeroHash }).catch(unless(TransactionNotFoundError)),
  eth_getTransactionReceipt: (client) =>
    client.getTransactionReceipt({ hash: zeroHash }).catch(unless(TransactionReceiptNotFoundError)),
  eth_getTransactionCount: (client) =>
    client.getTransactionCount({ address: noAccount, blockTag: 'pending' }),
}

/** Not to find it is an answer. */
const unless = (absence: new (...args: never[]) => Error) => (error: unknown) => {
  if (!(error instanceof absence)) throw error
}

async function checkProvider({ config }: Network, url: string, index: number): Promise<Finding[]> {
  const place = `rpcUrls[${index}]`
  const alone = createNetworks([{ ...config, rpcUrls: [url] }]).get(config.chainId)
  // Another check reports an endpoint that does not serve the network.
  if (
    !(await alone.assertChain().then(
      () => true,
      () => false,
    ))
  )
    return []
  const findings: Finding[] = []
  for (const [what, send] of Object.entries(requests)) {
    const failure = await alone
      .call((client) => send(client, alone))
      .then(
        () => undefined,
        (error: unknown) => error,
      )
    if (failure === undefined) continue
    const reason = failure instanceof LanyardError ? failure.details?.reason : undefined
    if (reason === 'PROVIDER_LIMIT') {
      findings.push(
        finding('RPC_RATE_LIMITED', {
          message: `The provider of ${place} limits the number of requests, already for this check.`,
          seen: messageOf(failure),
          fix: 'Use a larger plan, or put another address first in rpcUrls.',
        }),
      )
      break
    }
    findings.push(
      finding('RPC_LACKS', {
        message: `${place} does not answer what the service asks: ${what}.`,
        expected: what,
        seen: messageOf(failure),
        fix: `Use another address in ${place} of network ${config.chainId} in NETWORKS_FILE.`,
      }),
    )
  }
  const [limits] = alone.limits
  if (limits && (limits.batch < config.rpcBatch || limits.logRange < config.rpcLogRange)) {
    findings.push(
      finding('RPC_LIMITED', {
        message: `${place} accepts less in one request. The service learns this, and needs more requests.`,
        expected: `batches of ${config.rpcBatch}, logs of ${config.rpcLogRange} blocks`,
        seen: `batches of ${limits.batch}, logs of ${limits.logRange} blocks`,
        fix: `Nothing. To save the refusals after each start: "rpcBatch": ${limits.batch}, "rpcLogRange": ${limits.logRange} for network ${config.chainId}.`,
      }),
    )
  }
  return findings
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))
