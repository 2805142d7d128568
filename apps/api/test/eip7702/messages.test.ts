/** @module-tag all */

import { type Hex, hashMessage, hashTypedData, zeroAddress } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type HttpService, startHttpService } from '../http-service.ts'
import { type RestClient, restClient } from '../rest.ts'
import { createDelegatedAccount, newKey } from './delegated-account.ts'

let service: HttpService
let rest: RestClient
beforeAll(async () => {
  service = await startHttpService({}, { accountKinds: ['safe', 'eip7702'] })
  rest = restClient(service.url)
})
afterAll(() => service?.[Symbol.asyncDispose]())

const order = {
  domain: { name: 'Shop', chainId: 31337 },
  types: { Order: [{ name: 'amount', type: 'uint256' }] },
  primaryType: 'Order',
  message: { amount: '12' },
} as const
const key = newKey()
const messages = [
  ['a text', { message: 'Hello' }, hashMessage('Hello'), () => key.signMessage({ message: 'Hello' })],
  [
    'bytes',
    { rawMessage: '0x00ff' },
    hashMessage({ raw: '0x00ff' }),
    () => key.signMessage({ message: { raw: '0x00ff' } }),
  ],
  [
    'typed data',
    { typedData: order },
    hashTypedData({ ...order, message: { amount: 12n } }),
    () => key.signTypedData({ ...order, message: { amount: 12n } }),
  ],
] as const

describe('messages of an EOA that is the account itself', () => {
  test('behavior: it signs for itself: undelegated, delegated and revoked', async () => {
    const account = await createDelegatedAccount(rest, service.node.rpcUrl, key)
    const named = { walletAddress: key.address, network: String(account.chainId) }
    const checkAll = async (deployed: boolean) => {
      for (const [, what, hash, sign] of messages) {
        const prepared = await rest.post('/smart-account/message/prepare', { ...named, ...what })
        expect(prepared.body).toEqual({
          messageHash: hash,
          messageToSign: hash,
          deployed,
          owners: [{ address: key.address, kind: 'eoa' }],
        })
        const signature = await sign()
        const finished = await rest.post('/smart-account/message/finish', { ...named, ...what, signature })
        expect(finished.body).toEqual({ signature, form: deployed ? 'ERC1271' : 'EOA', owner: key.address })
        const check = async (body: object) =>
          (await rest.post('/smart-account/message/check', { ...named, ...what, signature, ...body })).body
            .valid
        expect(await check({})).toBe(true)
        expect(await check({ signature: await newKey().signMessage({ message: 'Hello' }) })).toBe(false)
        const { chain } = account
        expect(await chain.verifyHash({ address: key.address, hash, signature: signature as Hex })).toBe(true)
      }
    }
    await checkAll(false)
    expect((await account.send()).body).toMatchObject({ success: true })
    await checkAll(true)
    await account.delegateTo(zeroAddress)
    await checkAll(false)
  })

  test('error: a signature over the hash by personal_sign, or by another key', async () => {
    const { chainId } = await createDelegatedAccount(rest, service.node.rpcUrl, key)
    const finish = (signature: Hex) =>
      rest.post('/smart-account/message/finish', {
        ...{ walletAddress: key.address, network: String(chainId), message: 'Hello', signature },
      })
    const overHash = await finish(await key.signMessage({ message: { raw: hashMessage('Hello') } }))
    expect(overHash).toMatchObject({ status: 400, body: { code: 'SIGNATURE_BY_PERSONAL_SIGN' } })
    const external = await finish(await newKey().signMessage({ message: 'Hello' }))
    expect(external).toMatchObject({ status: 400, body: { code: 'INVALID_SIGNATURE' } })
  })
})
