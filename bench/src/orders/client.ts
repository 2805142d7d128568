import { endpoints, hash } from '@lanyard/contracts'
import type { PrivateKeyAccount } from 'viem'
import { accountOf } from '../wallets/chain.ts'
import { payment } from '../wallets/ours.ts'

/** A call, as builds take it and answers give it. */
interface Call {
  readonly targetContractAddress: string
  readonly value: string
  readonly encodedData: string
}

const { create, build, submit } = endpoints.smartAccount
const { getBalance, getQuote, computeSolution, deposit } = endpoints.smartBalance

/** What the bench's builds pay for: 1 wei. */
const paid: Call = {
  targetContractAddress: payment.to,
  value: String(payment.value),
  encodedData: payment.data,
}

/** The service as an app calls it over HTTP. Amounts have 6 decimals. */
export function createClient(url: string) {
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

  const buildCalls = async (
    owner: PrivateKeyAccount,
    network: number,
    calls: readonly Call[],
    paymasterData?: string,
  ) =>
    build.output.parse(
      await ask(build.path, {
        network: String(network),
        walletAddress: accountOf(owner),
        transactionDetails: calls,
        ...(paymasterData && { paymasterData }),
      }),
    )

  const order = (owner: PrivateKeyAccount, outputNetwork: number, amount: bigint) => ({
    walletAddress: accountOf(owner),
    outputNetwork,
    amount: String(amount),
  })

  async function send(owner: PrivateKeyAccount, { messageToSign }: { messageToSign: string }) {
    const signature = await owner.sign({ hash: hash.parse(messageToSign) })
    const { success } = submit.output.parse(
      await ask(submit.path, { walletAddress: accountOf(owner), signature }),
    )
    if (!success) throw new Error('An operation was reverted')
  }

  const solve = async (...asked: Parameters<typeof order>) =>
    computeSolution.output.parse(await ask(computeSolution.path, order(...asked)))
  type Solution = Awaited<ReturnType<typeof solve>>

  return {
    create: (owner: PrivateKeyAccount) => ask(create.path, { eoaAddress: owner.address }),
    getBalance: async (owner: PrivateKeyAccount) =>
      getBalance.output.parse(await ask(`${getBalance.path}?walletAddress=${accountOf(owner)}`)),
    quote: (...asked: Parameters<typeof order>) => ask(getQuote.path, order(...asked)),
    solve,

    /** An ordinary build. */
    build: (owner: PrivateKeyAccount, network: number) => buildCalls(owner, network, [paid]),

    /** A build of the same payment with what a solution reserved. */
    buildOrder(owner: PrivateKeyAccount, network: number, { transactions, signatures }: Solution) {
      const reserved = [transactions.withdrawal, transactions.claim]
        .filter(({ encodedData }) => encodedData !== '0x')
        .map((call) => ({ ...call, value: '0' }))
      return buildCalls(owner, network, [...reserved, paid], signatures.paymaster)
    },
    send,

    /** Deposits what the account holds of the token, and pins its owner. */
    async deposit(owner: PrivateKeyAccount, network: number, amount: bigint) {
      const { transactions } = deposit.output.parse(
        await ask(deposit.path, { walletAddress: accountOf(owner), network, amount: String(amount) }),
      )
      await send(owner, await buildCalls(owner, network, transactions))
    },
  }
}

export type Client = ReturnType<typeof createClient>
