import { delegatedDeployment } from '@lanyard/accounts'
import { randomPrivateKey } from '@lanyard/testing'
import { type Address, type EIP1193Provider, numberToHex, zeroAddress } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { parseAuthorization, toDelegatedSigner } from './eoa-wallet.ts'

const eoa = privateKeyToAccount(randomPrivateKey())
const asked: { address: Address; chainId: number; nonce: number } = {
  ...{ address: delegatedDeployment.delegate, chainId: 31337, nonce: 4 },
}

const codeError = (code: number) => Object.assign(new Error('refused'), { code })

const walletOf = (answer: (method: string, parameters: unknown) => unknown) => {
  const methods: string[] = []
  const request = async ({ method, params }: { method: string; params?: readonly unknown[] }) => {
    methods.push(method)
    return answer(method, params?.[0])
  }
  const provider = { request } as unknown as EIP1193Provider
  return { methods, wallet: { id: '1', name: 'Own', provider } }
}

const refuseAll = () => {
  throw codeError(-32601)
}

test('default: the method that the wallet has signs, and the answer is verified', async () => {
  const { wallet, methods } = walletOf(async (method, given) => {
    if (method !== 'eth_sign7702Authorization') throw codeError(4200)
    expect(given).toEqual({ contract: asked.address, chain_id: 31337, nonce: 4 })
    const { r, s, yParity } = await eoa.signAuthorization(asked)
    return { authorization: { r, s, y_parity: numberToHex(yParity ?? 0) } }
  })
  const signed = await toDelegatedSigner(wallet, eoa.address).signAuthorization(asked)
  expect(signed).toMatchObject(asked)
  expect(methods).toEqual(['wallet_signAuthorization', 'eth_signAuthorization', 'eth_sign7702Authorization'])
})

test('error: a wallet without such a method', async () => {
  const { wallet } = walletOf(refuseAll)
  const signing = toDelegatedSigner(wallet, eoa.address).signAuthorization(asked)
  await expect(signing).rejects.toMatchObject({ problem: 'NO_AUTHORIZATIONS' })
})

test('error: a wallet that delegates to a contract of its own', async () => {
  const { wallet } = walletOf(() => eoa.signAuthorization({ ...asked, address: zeroAddress }))
  const signing = toDelegatedSigner(wallet, eoa.address).signAuthorization(asked)
  await expect(signing).rejects.toMatchObject({ problem: 'NO_AUTHORIZATIONS' })
})

test('error: the person declines', async () => {
  const { wallet, methods } = walletOf(() => {
    throw codeError(4001)
  })
  const signing = toDelegatedSigner(wallet, eoa.address).signAuthorization(asked)
  await expect(signing).rejects.toMatchObject({ code: 4001 })
  expect(methods).toHaveLength(1)
})

test('behavior: a pasted one counts for this nonce, network and key only', async () => {
  const { wallet } = walletOf(refuseAll)
  const textOf = async (change: Partial<typeof asked>, signer = eoa) => {
    const { yParity, r, s, chainId, nonce, address } = await signer.signAuthorization({ ...asked, ...change })
    return JSON.stringify({ yParity, r, s, chainId, nonce, address })
  }
  const sign = async (text: string) =>
    toDelegatedSigner(wallet, eoa.address, parseAuthorization(text)).signAuthorization(asked)
  expect(await sign(await textOf({}))).toMatchObject(asked)
  const others = [
    await textOf({ nonce: 5 }),
    await textOf({ chainId: 0 }),
    await textOf({ address: zeroAddress }),
    await textOf({}, privateKeyToAccount(randomPrivateKey())),
  ]
  for (const text of others)
    await expect(sign(text)).rejects.toMatchObject({ problem: 'OTHER_AUTHORIZATION' })
  for (const text of ['', '{}', '[]', 'null', '{"chainId":1,"nonce":0,"address":"0x1","r":"0x1","s":"0x1"}'])
    expect(parseAuthorization(text)).toBeUndefined()
})
