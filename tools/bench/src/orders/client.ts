import { endpoints, hash } from '@lanyard/contracts'
import type { PrivateKeyAccount } from 'viem'
import { accountOf } from '../wallets/chain.ts'
import { createOurs, paid } from '../wallets/ours.ts'

const { getBalance, getQuote, computeSolution, deposit } = endpoints.smartBalance

/** A client of the service with its smart balance, over HTTP as an app uses it. Amounts have 6 decimals. */
export function createClient(url: string) {
  const { ask, create, build, submit } = createOurs(url)

  const order = (owner: PrivateKeyAccount, outputNetwork: number, amount: bigint) => ({
    walletAddress: accountOf(owner),
    outputNetwork,
    amount: String(amount),
  })

  async function send(owner: PrivateKeyAccount, { messageToSign }: { messageToSign: string }) {
    const { success } = await submit(owner, await owner.sign({ hash: hash.parse(messageToSign) }))
    if (!success) throw new Error(`An operation of ${accountOf(owner)} was reverted`)
  }

  const solve = async (...asked: Parameters<typeof order>) =>
    computeSolution.output.parse(await ask(computeSolution.path, order(...asked)))
  type Solution = Awaited<ReturnType<typeof solve>>

  return {
    create,
    getBalance: async (owner: PrivateKeyAccount) =>
      getBalance.output.parse(await ask(`${getBalance.path}?walletAddress=${accountOf(owner)}`)),
    quote: (...asked: Parameters<typeof order>) => ask(getQuote.path, order(...asked)),
    solve,

    /** An ordinary build. */
    build: (owner: PrivateKeyAccount, network: number) => build(owner, { network }),

    /** A build of the same payment with the data of a solution. */
    buildOrder(owner: PrivateKeyAccount, network: number, { transactions, signatures }: Solution) {
      const reserved = [transactions.withdrawal, transactions.claim]
        .filter(({ encodedData }) => encodedData !== '0x')
        .map((call) => ({ ...call, value: '0' }))
      return build(owner, { network, calls: [...reserved, paid], paymasterData: signatures.paymaster })
    },
    send,

    /** Deposits the account's whole token balance, and pins its owner. */
    async deposit(owner: PrivateKeyAccount, network: number, amount: bigint) {
      const { transactions: calls } = deposit.output.parse(
        await ask(deposit.path, { walletAddress: accountOf(owner), network, amount: String(amount) }),
      )
      await send(owner, await build(owner, { network, calls }))
    },
  }
}

export type Client = ReturnType<typeof createClient>
