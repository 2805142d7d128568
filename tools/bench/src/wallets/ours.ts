import { endpoints } from '@lanyard/contracts'
import type { Hex, PrivateKeyAccount } from 'viem'
import { foundry } from 'viem/chains'
import { accountOf } from './chain.ts'

/** 1 wei to an existing account. */
export const payment = { to: '0x00000000000000000000000000000000000000ad', value: 1n, data: '0x' } as const

/** A client of the service over HTTP, as an app uses it. */
export function createOurs(url: string) {
  async function ask(path: string, body?: object): Promise<unknown> {
    const response = await fetch(url + path, {
      ...(body && {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    })
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`)
    return response.json()
  }
  const { create, build, submit } = endpoints.smartAccount
  return {
    /** Sends GET, or POST if there is a body. */
    ask,

    create: (owner: PrivateKeyAccount) => ask(create.path, { eoaAddress: owner.address }),

    /** Builds {@link payment}. */
    build: async (owner: PrivateKeyAccount) =>
      build.output.parse(
        await ask(build.path, {
          network: String(foundry.id),
          walletAddress: accountOf(owner),
          transactionDetails: [
            {
              targetContractAddress: payment.to,
              value: String(payment.value),
              encodedData: payment.data,
            },
          ],
        }),
      ),

    /** Resolves after inclusion. */
    submit: async (owner: PrivateKeyAccount, signature: Hex) =>
      submit.output.parse(await ask(submit.path, { walletAddress: accountOf(owner), signature })),
  }
}
