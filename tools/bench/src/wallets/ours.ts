import { endpoints, hash } from '@lanyard/contracts'
import type { Address, Hex, PrivateKeyAccount } from 'viem'
import { foundry } from 'viem/chains'
import { accountOf } from './chain.ts'

/** 1 wei to an existing account. */
export const payment = { to: '0x00000000000000000000000000000000000000ad', value: 1n, data: '0x' } as const

/** A build request of {@link payment}, or of another value. */
export const paymentOf = (walletAddress: Address, value: bigint = payment.value) => ({
  network: String(foundry.id),
  walletAddress,
  transactionDetails: [
    { targetContractAddress: payment.to, value: String(value), encodedData: payment.data },
  ],
})

/** A client of the service over HTTP, as an app uses it. */
export function createOurs(url: string, headers: Readonly<Record<string, string>> = {}) {
  async function post(path: string, body: object): Promise<unknown> {
    const response = await fetch(url + path, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`)
    return response.json()
  }
  const { create, build, submit } = endpoints.smartAccount
  const buildPayment = async (owner: PrivateKeyAccount) =>
    build.output.parse(await post(build.path, paymentOf(accountOf(owner))))
  return {
    create: (owner: PrivateKeyAccount) => post(create.path, { eoaAddress: owner.address }),
    build: buildPayment,

    /** Builds. @returns the owner's signature */
    async sign(owner: PrivateKeyAccount): Promise<Hex> {
      const { messageToSign } = await buildPayment(owner)
      return owner.sign({ hash: hash.parse(messageToSign) })
    },

    /** Resolves after inclusion. */
    submit: async (owner: PrivateKeyAccount, signature: Hex) =>
      submit.output.parse(await post(submit.path, { walletAddress: accountOf(owner), signature })),
  }
}
