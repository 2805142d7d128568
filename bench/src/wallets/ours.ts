import { endpoints } from '@lanyard/contracts'
import type { Hex, PrivateKeyAccount } from 'viem'
import { foundry } from 'viem/chains'
import { accountOf } from './chain.ts'

/** 1 wei to an account that exists. */
export const payment = { to: '0x00000000000000000000000000000000000000ad', value: 1n, data: '0x' } as const

/** The service, as an app calls it over HTTP. */
export function createOurs(url: string) {
  const post = async (path: string, body: unknown): Promise<unknown> => {
    const response = await fetch(url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`)
    return response.json()
  }
  const { create, build, submit } = endpoints.smartAccount
  return {
    create: (owner: PrivateKeyAccount) => post(create.path, { eoaAddress: owner.address }),

    build: async (owner: PrivateKeyAccount) =>
      build.output.parse(
        await post(build.path, {
          network: String(foundry.id),
          walletAddress: accountOf(owner),
          transactionDetails: [
            { targetContractAddress: payment.to, value: String(payment.value), encodedData: payment.data },
          ],
        }),
      ),

    /** Answers when it is included. */
    submit: async (owner: PrivateKeyAccount, signature: Hex) =>
      submit.output.parse(await post(submit.path, { walletAddress: accountOf(owner), signature })),
  }
}
