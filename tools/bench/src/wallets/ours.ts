import { endpoints } from '@lanyard/contracts'
import type { Hex, PrivateKeyAccount } from 'viem'
import { foundry } from 'viem/chains'
import { accountOf } from './chain.ts'

/** 1 wei to an existing account. */
export const payment = { to: '0x00000000000000000000000000000000000000ad', value: 1n, data: '0x' } as const

/** A call in the format of build requests and responses. */
interface BuiltCall {
  readonly targetContractAddress: string
  readonly value: string
  readonly encodedData: string
}

/** {@link payment} in the format of build requests. */
const paid: BuiltCall = {
  targetContractAddress: payment.to,
  value: String(payment.value),
  encodedData: payment.data,
}

interface BuildOptions {
  readonly network?: number
  readonly calls?: readonly BuiltCall[]
  readonly paymasterData?: string
}

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

    build: async (
      owner: PrivateKeyAccount,
      { network = foundry.id, calls = [paid], paymasterData }: BuildOptions = {},
    ) =>
      build.output.parse(
        await ask(build.path, {
          network: String(network),
          walletAddress: accountOf(owner),
          transactionDetails: calls,
          ...(paymasterData && { paymasterData }),
        }),
      ),

    /** Resolves after inclusion. */
    submit: async (owner: PrivateKeyAccount, signature: Hex) =>
      submit.output.parse(await ask(submit.path, { walletAddress: accountOf(owner), signature })),
  }
}
