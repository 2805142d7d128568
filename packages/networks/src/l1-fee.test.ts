import { startNode } from '@lanyard/devnet'
import { type RpcProxy, startRpcProxy } from '@lanyard/testing/fault-proxy'
import { encodeAbiParameters, type Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createNetworks, gasPriceOracle, networkConfig } from './index.ts'

test('behavior: a network that does not charge for L1 data is not queried', async () => {
  // The discard port: nothing listens.
  const config = networkConfig.parse({ chainId: 137, name: 'Polygon', rpcUrls: ['http://127.0.0.1:9'] })
  const fee = await createNetworks([config]).get(137).l1Fee({ to: gasPriceOracle, data: '0x' })
  expect(fee).toEqual({ wei: 0n, gas: 0n, operatorFee: { constant: 0n, perMillionGas: 0n } })
})

describe('a network with RPCs of two origins', { tags: ['all'] }, () => {
  const chainId = 31337
  const resources = new AsyncDisposableStack()
  let proxies: readonly [RpcProxy, RpcProxy]
  beforeAll(async () => {
    const node = resources.use(await startNode({ chainId }))
    const start = async () => resources.use(await startRpcProxy(node.rpcUrl))
    proxies = [await start(), await start()]
  })
  afterAll(() => resources.disposeAsync())

  /** Each origin names its own fee, or does not answer. */
  async function readWith(fees: readonly (bigint | 'silent')[], urls = proxies.map(({ url }) => url)) {
    for (const [index, fee] of fees.entries()) {
      proxies[index]?.set(
        fee === 'silent'
          ? { fault: { kind: 'http', status: 500, body: '{}' } }
          : { methods: ['eth_call'], fault: { kind: 'lie', change: () => oracleAnswer(fee) } },
      )
    }
    const reasons: string[] = []
    const config = networkConfig.parse({
      ...{ chainId, name: 'Rollup', rpcUrls: urls, l1Fee: { kind: 'op-stack' } },
      rpcOrigins: ['a', 'b'].slice(0, urls.length),
    })
    const network = createNetworks([config], Date.now, {
      unconfirmed: (_, reason) => reasons.push(reason),
    }).get(chainId)
    const read = network.l1Fee({ to: gasPriceOracle, data: '0x' }).then(
      ({ wei }) => wei,
      (error: { code: string }) => error.code,
    )
    return { read: await read, reasons }
  }

  test.each([
    ['the same', [100n, 100n], 100n],
    ['higher, by a block of L1', [100n, 113n], 113n],
    ['lower, by a block of L1', [113n, 100n], 113n],
    ['a lie: nothing', [100n, 0n], 'NETWORK_FAILED'],
    ['a lie: nothing, from the first', [0n, 100n], 'NETWORK_FAILED'],
    ['a lie: three times as much', [300n, 100n], 'NETWORK_FAILED'],
    ['no answer', [100n, 'silent'], 100n],
    ['no answer, from the first', ['silent', 100n], 100n],
  ] as const)('behavior: the second origin says %s', async (_, fees, expected) => {
    const { read, reasons } = await readWith(fees)
    expect(read).toBe(expected)
    expect(reasons).toEqual(expected === 'NETWORK_FAILED' ? ['disagree'] : [])
  })

  test('behavior: alone, one RPC can name up to the configured maximum and no more', async () => {
    const [only] = proxies
    expect((await readWith([10n ** 16n], [only.url])).read).toBe(10n ** 16n)
    expect((await readWith([10n ** 16n + 1n], [only.url])).read).toBe('NETWORK_FAILED')
  })
})

/** Multicall3's results: the fee, and an oracle without an operator fee. */
function oracleAnswer(fee: bigint): Hex {
  const result = { type: 'tuple[]', components: [{ type: 'bool' }, { type: 'bytes' }] } as const
  const word = encodeAbiParameters([{ type: 'uint256' }], [fee])
  return encodeAbiParameters(
    [result],
    [[[true, word] as never, [false, '0x'] as never, [false, '0x'] as never]],
  )
}
