import { endpoints } from '@lanyard/contracts'
import type { Hex, PrivateKeyAccount } from 'viem'
import { foundry } from 'viem/chains'
import { accountOf } from './chain.ts'

/** 1 wei to an account that exists. */
export const payment = { to: '0x00000000000000000000000000000000000000ad', value: 1n, data: '0x' } as const

/** A call, as builds take it and answers give it. */
export interface BuiltCall {
  readonly targetContractAddress: string
  readonly value: string
  readonly encodedData: string
}

/** {@link payment} as a build takes it. */
export const paid: BuiltCall = {
  targetContractAddress: payment.to,
  value: String(payment.value),
  encodedData: payment.data,
}

interface BuildOptions {
  readonly network?: number
  readonly calls?: readonly BuiltCall[]
  readonly paymasterData?: string
}

/** The service, as an app calls it over HTTP. */
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
    /** GET, or POST where there is a body. */
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

    /** Answers when it is included. */
    submit: async (owner: PrivateKeyAccount, signature: Hex) =>
      submit.output.parse(await ask(submit.path, { walletAddress: accountOf(owner), signature })),
  }
}
