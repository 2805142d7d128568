/** @module-tag all */
import { publishEvents, readEvents, watchAccount } from '@lanyard/database'
import { devAccounts } from '@lanyard/devnet'
import { devTokenAbi } from '@lanyard/onchain'
import { randomPrivateKey } from '@lanyard/testing'
import { startRpcProxy } from '@lanyard/testing/fault-proxy'
import type { Address } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { receiptOf } from '../receipt-of.ts'
import { startSessionService } from '../session-keys/session-service.ts'
import { createLogWatch } from './log-watch.ts'

const chainId = 31337
const finality = { confirmations: 200 }
const funder = privateKeyToAccount(devAccounts[3]?.privateKey ?? randomPrivateKey())

test('behavior: where finality is far, a look reads new blocks, and each block once more when it is final', async () => {
  await using service = await startSessionService({
    ...{ chainIds: [chainId], blockTime: 3_600, settings: { finality }, environment: { ROLES: 'api' } },
  })
  const { chain, rpcUrl, settlementToken } = service.on(chainId)
  let blocks = 0n
  await using proxy = await startRpcProxy(rpcUrl, 0, async (requests) => {
    for (const { method, params = [] } of requests) {
      if (method !== 'eth_getLogs') continue
      const { fromBlock, toBlock } = params[0] as { fromBlock: string; toBlock: string } // the filter
      blocks += BigInt(toBlock) - BigInt(fromBlock) + 1n
    }
  })
  let elapsed = 0
  const began = Date.now()
  const now = () => new Date(began + elapsed)
  const watch = createLogWatch(service, { chainId, rpcUrl: proxy.url, finality, now })
  const { db } = service.database
  async function look() {
    blocks = 0n
    elapsed += 3_600_000
    await watch.pass()
    return Number(blocks)
  }
  let position = 0
  async function takeEvents() {
    await publishEvents(db, now())
    const events = await readEvents(db, { after: position, limit: 1_000 })
    position = events.at(-1)?.position ?? position
    return events
      .filter(({ type }) => type.startsWith('transfer.'))
      .map(({ type, data }) => [type, Number(Reflect.get(Object(data), 'amount'))])
  }
  const account: Address = (await service.createWallet()).address
  const mint = async (units: bigint) => {
    const token = { address: settlementToken.address, abi: devTokenAbi, functionName: 'mint' } as const
    const args = [account, units] as const
    await receiptOf(chain, await chain.writeContract({ ...token, account: funder, chain: null, args }))
  }
  await watchAccount(db, { account: account.toLowerCase(), until: new Date(began + 10 ** 9) })
  await chain.mine({ blocks: 250 })
  await look()
  await mint(1n)
  await chain.mine({ blocks: 4 })
  // Two filters, for the account and the token: the five new blocks, and as many that became final.
  expect(await look()).toBeLessThanOrEqual(2 * (5 + 5))
  expect(await takeEvents()).toEqual([['transfer.received', 1]])
  expect(await look()).toBe(0)

  const snapshot = await chain.snapshot()
  await mint(2n)
  await look()
  expect(await takeEvents()).toEqual([['transfer.received', 2]])
  await chain.revert({ id: snapshot })
  await mint(3n)
  await chain.mine({ blocks: 2 })
  expect(await look()).toBeGreaterThan(2 * 200) // the reorg has all of them read again
  expect(await takeEvents()).toEqual(
    expect.arrayContaining([
      ['transfer.received', 3],
      ['transfer.reorged', 2],
    ]),
  )
  await chain.mine({ blocks: 210 })
  await look()
  const final = (await takeEvents()).filter(([type]) => type === 'transfer.final')
  expect(final).toEqual([
    ['transfer.final', 1],
    ['transfer.final', 3],
  ])
})
