/** @module-tag all */
// @promise 4

import { devAccounts, devRoles } from '@lanyard/devnet'
import { reportFigure } from '@lanyard/testing'
import { type Hex, parseEther, parseTransaction } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { ask } from '../http-service.ts'
import { type OrderService, payee, sign, startOrderService } from '../orders/order-service.ts'
import { type GatedSigner, remoteOperator, startGatedSigner } from './gated-signer.ts'

const [slowNetwork, otherNetwork] = [31337, 31338] as const

/** Seconds that a signer may take. A submission waits for inclusion longer than that, and long enough on a busy machine. */
const [signerTimeout, inclusionTimeout] = [2, 20] as const

/** The public relayer key of local networks, held by a remote signer in this test. */
const relayer = devAccounts.at(-1) ?? { address: '0x', privateKey: '0x' }

let service: OrderService
let signer: GatedSigner
beforeAll(async () => {
  signer = await startGatedSigner([devRoles.operator.privateKey, relayer.privateKey])
  service = await startOrderService({
    chainIds: [slowNetwork, otherNetwork],
    environment: {
      ...remoteOperator(signer, String(signerTimeout)),
      RELAYER_PRIVATE_KEYS: `remote:${relayer.address}`,
      INCLUSION_TIMEOUT: String(inclusionTimeout),
    },
  })
})
afterAll(async () => {
  await service?.[Symbol.asyncDispose]()
  await signer?.close()
})
afterEach(() => signer.open())

/** The signed bytes of EIP-1559 contain the chain id. Other requests are typed data of the operator. */
const isTransactionOn =
  (chainId: number) =>
  ({ data }: { readonly data: Hex }) =>
    data.startsWith('0x02') && parseTransaction(data as `0x02${string}`).chainId === chainId

/** Creates an account with ether on both networks and returns a function that builds and signs a transfer. */
async function createSender() {
  const { owner, address } = await service.createWallet()
  for (const network of [slowNetwork, otherNetwork]) {
    await service.on(network).chain.setBalance({ address, value: parseEther('1') })
  }
  return async (network: number) => {
    const built = await service.build({
      network: String(network),
      walletAddress: address,
      transactionDetails: [{ targetContractAddress: payee, value: '1', encodedData: '0x' }],
    })
    expect(built).toMatchObject({ status: 200 })
    return { walletAddress: address, signature: await sign.personal(owner, built.body.messageToSign) }
  }
}

const stateOf = async (userOpHash: string) =>
  (await service.rest.get(`/smart-account/transaction/status?userOpHash=${userOpHash}`)).body.state

/** The `lanyard_signer_…` samples by name and labels. */
async function signerMetrics(): Promise<Record<string, number>> {
  await ask(`${service.service.url}/metrics`) // what was counted before the first reading shows in the second
  const { text } = await ask(`${service.service.url}/metrics`)
  const lines = text.split('\n').filter((line) => line.startsWith('lanyard_signer_'))
  return Object.fromEntries(
    lines.map((line) => {
      const [name = '', value] = line.split(' ')
      return [name.replace('lanyard_signer_', ''), Number(value)]
    }),
  )
}

test('default: a relayer signs with a remote key, and metrics count its signatures', async () => {
  const build = await createSender()
  const before = await signerMetrics()
  expect(await service.submit(await build(slowNetwork))).toMatchObject({
    status: 200,
    body: { success: true },
  })
  const after = await signerMetrics()
  const requests = 'request_duration_seconds_count{role="relayer"}'
  expect(after[requests]).toBeGreaterThan(before[requests] ?? 0)
  expect(after['request_duration_seconds_sum{role="relayer"}']).toBeGreaterThan(0)
})

describe('a signer that hangs for one network', () => {
  test('error: INCLUSION_TIMEOUT on time with the reason; other networks work, and the operation is sent once later', async () => {
    const build = await createSender()
    signer.hold(isTransactionOn(slowNetwork))
    const waiting = await build(slowNetwork)
    const stuck = service.submit(waiting)
    await signer.held(1)
    for (let turn = 0; turn < 3; turn++) {
      expect(await service.submit(await build(otherNetwork))).toMatchObject({ status: 200 })
    }
    const { status, body } = await stuck
    expect({ status, body }).toMatchObject({
      status: 504,
      body: {
        code: 'INCLUSION_TIMEOUT',
        message: expect.stringContaining("The signer of the relayer's key"),
      },
    })
    const failures = (await signerMetrics())['failures_total{role="relayer",code="SIGNER_UNAVAILABLE"}']
    expect(failures).toBeGreaterThan(0)

    signer.open()
    await expect.poll(() => stateOf(body.userOpHash)).toBe('included')
    // A repeated submit returns the existing operation.
    expect(await service.submit(waiting)).toMatchObject({
      status: 200,
      body: { userOpHash: body.userOpHash },
    })
    const sent = await service.database.db
      .selectFrom('relayer_transaction_operations as link')
      .innerJoin('relayer_transactions as tx', 'tx.txn_hash', 'link.txn_hash')
      .select('tx.state')
      .where('link.user_op_hash', '=', body.userOpHash)
      .execute()
    expect(sent).toEqual([{ state: 'mined' }])
  })

  test("behavior: many requests that wait for the operator's key do not block the relayer", async () => {
    const build = await createSender()
    // There are more requests than connections per key, and an account has sixteen lanes.
    const wallets = [await service.createWallet(), await service.createWallet()]
    signer.hold(({ data }) => data.startsWith('0x1901'))
    const sponsored = Array.from({ length: 24 }, (_, index) =>
      service.build({
        network: String(slowNetwork),
        walletAddress: wallets[index % wallets.length]?.address,
        transactionDetails: [{ targetContractAddress: payee, value: '0', encodedData: '0x' }],
        paymasterData: 'sponsored',
      }),
    )
    await signer.held(1)
    expect(await service.submit(await build(otherNetwork))).toMatchObject({ status: 200 })
    const codes = (await Promise.all(sponsored)).map(({ body }) => body.code)
    expect(new Set(codes)).toEqual(new Set(['SIGNER_UNAVAILABLE']))
    const failures = (await signerMetrics())['failures_total{role="operator",code="SIGNER_UNAVAILABLE"}']
    expect(failures).toBe(codes.length)
    expect(await service.database.db.selectFrom('nonce_holds').selectAll().execute()).toEqual([])
    reportFigure(4, 'builds that a hanging signer failed in time, while other keys signed', codes.length)
  })
})
