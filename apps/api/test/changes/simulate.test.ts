/** @module-tag all */

import { localTransport, settlementTokenAddress as token } from '@lanyard/devnet'
import { devTokenAbi } from '@lanyard/onchain'
import { type RpcProxy, startRpcProxy, withoutMethod } from '@lanyard/testing/fault-proxy'
import {
  type Address,
  concat,
  createTestClient,
  encodeAbiParameters,
  encodeFunctionData,
  type Hex,
  maxUint256,
  numberToHex,
  pad,
  parseEther,
  publicActions,
  toEventSelector,
} from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createDelegatedAccount, newKey } from '../eip7702/delegated-account.ts'
import { type HttpService, startHttpService } from '../http-service.ts'
import { type RestClient, restClient } from '../rest.ts'

const shop = '0x000000000000000000000000000000000000bEEF'
/** Sends all its coins to its caller. */
const payer = '0x00000000000000000000000000000000000F0001'
/** Logs an event: three topics and the data are its call data. */
const logger3 = '0x00000000000000000000000000000000000f0002'
/** The same with four topics and no data. */
const logger4 = '0x00000000000000000000000000000000000F0003'
/** The same with four topics and data. */
const logger4Data = '0x00000000000000000000000000000000000F0004'

const contracts: Readonly<Record<Address, Hex>> = {
  [payer]: '0x5f5f5f5f47335af100',
  [logger3]: '0x606036038060605f376040356020355f35835fa300',
  [logger4]: '0x6060356040356020355f355f5fa400',
  [logger4Data]: '0x608036038060805f376060356040356020355f35845fa400',
}

interface Detail {
  readonly targetContractAddress: Address
  readonly value: string
  readonly encodedData: Hex
}

const call = (targetContractAddress: Address, encodedData: Hex = '0x', value = 0n): Detail => ({
  targetContractAddress,
  encodedData,
  value: String(value),
})
const transfer = (to: Address, amount: bigint) =>
  call(token, encodeFunctionData({ abi: devTokenAbi, functionName: 'transfer', args: [to, amount] }))
const approve = (spender: Address, amount: bigint) =>
  call(token, encodeFunctionData({ abi: devTokenAbi, functionName: 'approve', args: [spender, amount] }))
const log = (contract: Address, event: string, ...words: readonly (Hex | bigint)[]) =>
  call(
    contract,
    concat([
      toEventSelector(event),
      ...words.map((word) => (typeof word === 'bigint' ? numberToHex(word, { size: 32 }) : pad(word))),
    ]),
  )

describe('POST /smart-account/transaction/simulate', () => {
  let proxy: RpcProxy
  let service: HttpService
  let rest: RestClient
  let wallet: Address
  const owner = newKey()
  const network = '31337'

  beforeAll(async () => {
    service = await startHttpService({}, async (rpcUrl) => {
      proxy = await startRpcProxy(rpcUrl)
      return { rpcUrls: [proxy.url], accountKinds: ['safe', 'eip7702'] }
    })
    rest = restClient(service.url)
    const created = await rest.post('/smart-account/create', { eoaAddress: owner.address })
    wallet = created.body.wallet.scw_address
    await chain().setBalance({ address: wallet, value: parseEther('10') })
    for (const [address, bytecode] of Object.entries(contracts))
      await chain().setCode({ address: address as Address, bytecode })
    await mint(wallet, 1_000n)
  })
  afterAll(async () => {
    await service?.[Symbol.asyncDispose]()
    await proxy?.[Symbol.asyncDispose]()
  })

  const chain = () =>
    createTestClient({ mode: 'anvil', transport: localTransport(service.node.rpcUrl) }).extend(publicActions)
  async function mint(to: Address, amount: bigint) {
    await chain().impersonateAccount({ address: shop })
    await chain().setBalance({ address: shop, value: parseEther('1') })
    const hash = await chain().sendUnsignedTransaction({
      from: shop,
      to: token,
      data: encodeFunctionData({ abi: devTokenAbi, functionName: 'mint', args: [to, amount] }),
    })
    await chain().waitForTransactionReceipt({ hash, pollingInterval: 25 })
  }
  const simulate = (transactionDetails: readonly Detail[], walletAddress: Address = wallet) =>
    rest.post('/smart-account/transaction/simulate', { network, walletAddress, transactionDetails })
  const changesOf = async (...transactionDetails: readonly Detail[]) => {
    const { status, body } = await simulate(transactionDetails)
    expect({ status, body }).toMatchObject({ status: 200 })
    return body.changes
  }

  test('default: what the account gives, of the coin and of a token, before it is deployed', async () => {
    expect(await changesOf(call(shop, '0x', 5n), transfer(shop, 300n))).toEqual([
      { kind: 'out', amount: '5' },
      { kind: 'out', token, amount: '300' },
    ])
  })

  test('behavior: only its deployment changes nothing', async () => {
    expect(await changesOf()).toEqual([])
  })

  test('behavior: approvals, the last one of each spender', async () => {
    expect(
      await changesOf(approve(shop, 1n), approve(payer, maxUint256), approve(shop, 0n), approve(payer, 7n)),
    ).toEqual([{ kind: 'approval', token, spender: payer, amount: '7' }])
  })

  test('behavior: it gives and gets at once, and the difference counts', async () => {
    await chain().setBalance({ address: payer, value: 40n })
    expect(await changesOf(call(payer, '0x', 15n), approve(payer, 9n), transfer(wallet, 100n))).toEqual([
      { kind: 'in', amount: '40' },
      { kind: 'approval', token, spender: payer, amount: '9' },
    ])
    await chain().setBalance({ address: payer, value: 0n })
    expect(await changesOf(call(payer, '0x', 15n))).toEqual([])
  })

  test('behavior: NFTs by their ids, and approvals for one or all of them', async () => {
    const ids = encodeAbiParameters(
      [{ type: 'uint256[]' }, { type: 'uint256[]' }],
      [
        [8n, 9n],
        [1n, 2n],
      ],
    )
    expect(
      await changesOf(
        log(logger4, 'Transfer(address,address,uint256)', wallet, shop, 7n),
        log(logger4, 'Approval(address,address,uint256)', wallet, payer, 6n),
        log(logger3, 'ApprovalForAll(address,address,bool)', wallet, shop, 1n),
        call(
          logger4Data,
          concat([
            toEventSelector('TransferBatch(address,address,address,uint256[],uint256[])'),
            ...[shop, shop, wallet].map((address) => pad(address as Address)),
            ids,
          ]),
        ),
      ),
    ).toEqual([
      { kind: 'out', token: logger4, id: '7', amount: '1' },
      { kind: 'in', token: logger4Data, id: '8', amount: '1' },
      { kind: 'in', token: logger4Data, id: '9', amount: '2' },
      { kind: 'approval', token: logger4, id: '6', amount: '1', spender: payer },
      { kind: 'approval', token: logger3, spender: shop },
    ])
  })

  test('behavior: what others do to each other, and logs of another form, are no changes', async () => {
    expect(
      await changesOf(
        log(logger3, 'Transfer(address,address,uint256)', shop, payer, 7n),
        log(logger3, 'Approval(address,address,uint256)', shop, wallet, 7n),
        log(logger3, 'Transfer(address,address,uint256)', wallet, shop),
        log(logger3, 'Transfer(address,address,uint256)', wallet, shop, 7n, 8n),
        log(
          logger4Data,
          'TransferBatch(address,address,address,uint256[],uint256[])',
          shop,
          wallet,
          shop,
          1n,
        ),
      ),
    ).toEqual([])
  })

  test('behavior: at most 50 changes, and how many more there are', async () => {
    const spenders = Array.from({ length: 64 }, (_, index) => numberToHex(index + 1, { size: 20 }))
    const { body } = await simulate(spenders.map((spender) => approve(spender, 1n)))
    expect(body.changes).toHaveLength(50)
    expect(body.omitted).toBe(14)
  })

  test('behavior: calls that log more than can be read at once have no statement', async () => {
    const event = toEventSelector('Transfer(address,address,uint256)')
    // Logs until little gas is left: GAS is the id of each.
    await chain().setCode({ address: payer, bytecode: `0x5b5a5f337f${event.slice(2)}5f5fa461ffff5a115f5700` })
    expect(await simulate([call(payer)])).toEqual({ status: 200, body: {} })
    await chain().setCode({ address: payer, bytecode: contracts[payer] ?? '0x' })
    const list = Array.from({ length: 1_900 }, (_, index) => BigInt(index))
    const lists = encodeAbiParameters([{ type: 'uint256[]' }, { type: 'uint256[]' }], [list, list])
    const received = [shop, shop, wallet].map((address) => pad(address as Address))
    const batch = toEventSelector('TransferBatch(address,address,address,uint256[],uint256[])')
    const long = call(logger4Data, concat([batch, ...received, lists]))
    expect((await simulate([long])).body).toMatchObject({ omitted: 1_849 })
  })

  test('behavior: it says what then happens', async () => {
    const transactionDetails = [call(shop, '0x', 5n), transfer(shop, 300n), approve(payer, 9n)]
    const before = await chain().getBalance({ address: shop })
    const held = () =>
      chain().readContract({ abi: devTokenAbi, address: token, functionName: 'balanceOf', args: [wallet] })
    const heldBefore = await held()
    const built = await rest.post('/smart-account/transaction/build', {
      ...{ network, walletAddress: wallet, transactionDetails },
    })
    const signature = await owner.signMessage({ message: { raw: built.body.messageToSign } })
    const sent = await rest.post('/smart-account/transaction/submit', { walletAddress: wallet, signature })
    expect(sent.body).toMatchObject({ success: true })
    expect((await chain().getBalance({ address: shop })) - before).toBe(5n)
    expect(heldBefore - (await held())).toBe(300n)
    // The same calls again, by an account that is deployed now.
    expect(await changesOf(...transactionDetails)).toEqual([
      { kind: 'out', amount: '5' },
      { kind: 'out', token, amount: '300' },
      { kind: 'approval', token, spender: payer, amount: '9' },
    ])
  })

  test('behavior: an EOA that is the account itself, before it delegates and after that', async () => {
    const { key, send } = await createDelegatedAccount(rest, service.node.rpcUrl, newKey())
    const expected = { status: 200, body: { changes: [{ kind: 'out', amount: '3' }] } }
    expect(await simulate([call(shop, '0x', 3n)], key.address)).toEqual(expected)
    expect((await send()).body).toMatchObject({ success: true })
    expect(await simulate([call(shop, '0x', 3n)], key.address)).toEqual(expected)
  })

  test('error: EXECUTION_REVERTED if a call reverts, and NOTHING_TO_DO without calls', async () => {
    const { status, body } = await simulate([approve(shop, 1n), transfer(shop, 10_000_000n)])
    expect({ status, code: body.code }).toEqual({ status: 400, code: 'EXECUTION_REVERTED' })
    expect((await simulate([])).body.code).toBe('NOTHING_TO_DO')
  })

  test('behavior: without eth_simulateV1 there is no statement, and no error', async () => {
    proxy.set(withoutMethod('eth_simulateV1'))
    expect(await simulate([call(shop, '0x', 5n)])).toEqual({ status: 200, body: {} })
    proxy.set()
  })

  test('error: an answer that cannot be right is no statement', async () => {
    proxy.set({ methods: ['eth_simulateV1'], fault: { kind: 'lie', change: () => [{ calls: [{}] }] } })
    expect((await simulate([call(shop, '0x', 5n)])).body.code).toBe('NETWORK_FAILED')
    proxy.set()
  })
})
