/** @module-tag all */
import { defaultDeployment } from '@lanyard/accounts'
import { SoftwareAuthenticator, startChain, webAuthnAccountOf } from '@lanyard/accounts/testing'
import { devTokenAbi, devTokenBytecode } from '@lanyard/onchain'
import { randomPrivateKey } from '@lanyard/testing'
import type { PaymentPayload, PaymentRequirements } from '@x402/core/types'
import { toFacilitatorEvmSigner } from '@x402/evm'
import { ExactEvmScheme as Payer } from '@x402/evm/exact/client'
import { ExactEvmScheme as Facilitator } from '@x402/evm/exact/facilitator'
import { type Address, createPublicClient, http } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { foundry } from 'viem/chains'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { toLanyardSmartAccount } from '../src/index.ts'

/* x402's published payer and facilitator, with the local networks' token, which accepts signatures as USDC 2.2 does. */

let chain: Awaited<ReturnType<typeof startChain>>
let token: Address
beforeAll(async () => {
  chain = await startChain()
  const hash = await chain.client.deployContract({
    ...{ abi: devTokenAbi, bytecode: devTokenBytecode, args: ['USD Coin', 'USDC', 6] },
  })
  const { contractAddress } = await chain.client.waitForTransactionReceipt({ hash })
  if (!contractAddress) throw new TypeError('A creation has an address.')
  token = contractAddress
})
afterAll(() => chain?.[Symbol.asyncDispose]())

const payTo: Address = '0x00000000000000000000000000000000000000Ad'
const balanceOf = (address: Address) =>
  chain.client.readContract({
    address: token,
    abi: devTokenAbi,
    functionName: 'balanceOf',
    args: [address],
  })

const facilitatorFor = (factories: readonly Address[]) => {
  const { client } = chain
  const signer = toFacilitatorEvmSigner(Object.assign(client, { address: client.account.address }) as never)
  return new Facilitator(signer, { eip6492AllowedFactories: [...factories] })
}

const requirements = (): PaymentRequirements => ({
  ...{ scheme: 'exact', network: `eip155:${foundry.id}`, asset: token, amount: '30', payTo },
  maxTimeoutSeconds: 600,
  extra: { name: 'USD Coin', version: '2' },
})

const newKey = () => privateKeyToAccount(randomPrivateKey())

describe.each([
  ['an EOA', () => newKey()],
  ['a passkey', () => webAuthnAccountOf(new SoftwareAuthenticator())],
])('the account of %s', (_, makeOwner) => {
  async function create() {
    const client = createPublicClient({ chain: foundry, transport: http(chain.rpcUrl), cacheTime: 0 })
    const account = await toLanyardSmartAccount({ client, owner: makeOwner() })
    const hash = await chain.client.writeContract({
      ...{ address: token, abi: devTokenAbi, functionName: 'mint', args: [account.address, 100n] },
    })
    await chain.client.waitForTransactionReceipt({ hash })
    return account
  }
  type Account = Awaited<ReturnType<typeof create>>
  async function deploy(account: Account) {
    const { factory, factoryData } = await account.getFactoryArgs()
    const hash = await chain.client.sendTransaction({ to: factory, data: factoryData })
    await chain.client.waitForTransactionReceipt({ hash })
  }
  async function sign(account: Account): Promise<PaymentPayload> {
    const payer = new Payer({
      address: account.address,
      signTypedData: (typedData) => account.signTypedData(typedData as never), // x402 types this more loosely
    })
    const { payload } = await payer.createPaymentPayload(2, requirements())
    return { x402Version: 2, accepted: requirements(), payload }
  }

  test('behavior: pays once it is deployed, and not twice', async () => {
    const account = await create()
    await deploy(account)
    const facilitator = facilitatorFor([])
    const payment = await sign(account)
    expect(await facilitator.verify(payment, requirements())).toMatchObject({ isValid: true })
    const before = await balanceOf(payTo)
    expect(await facilitator.settle(payment, requirements())).toMatchObject({ success: true })
    expect([await balanceOf(account.address), (await balanceOf(payTo)) - before]).toEqual([70n, 30n])
    expect(await facilitator.verify(payment, requirements())).toMatchObject({ isValid: false })
    expect(await facilitator.verify(payment, { ...requirements(), amount: '31' })).toMatchObject({
      isValid: false,
    })
  })

  test("behavior: pays before it is deployed if the facilitator allows Safe's factory", async () => {
    const account = await create()
    const payment = await sign(account)
    const before = await balanceOf(payTo)
    expect(await facilitatorFor([]).verify(payment, requirements())).toMatchObject({ isValid: false })
    const facilitator = facilitatorFor([defaultDeployment.factory])
    expect(await facilitator.verify(payment, requirements())).toMatchObject({ isValid: true })
    expect(await facilitator.settle(payment, requirements())).toMatchObject({ success: true })
    expect([await account.isDeployed(), (await balanceOf(payTo)) - before]).toEqual([true, 30n])
  })
})
