import { defaultRelayerSettings, maxTransactionGas } from '@lanyard/bundler'
import type { Network } from '@lanyard/networks'
import { type Address, formatEther } from 'viem'
import { type Findings, finding } from '../finding.ts'
import type { Check } from '../subject.ts'

/**
 * Gas of one transaction, which a node requires, and number of transactions that a balance must cover before
 * it counts as low.
 */
const settlementGas = 500_000n
const topUpGas = 1_000_000n
const transactionsAhead = 30n

/** A small bundle; a relayer that cannot pay for it sends nothing. */
const bundleGas = 1_000_000n

/** The deployment of an account with a passkey, which the service may pay for. */
const deploymentGas = 500_000n

/** Nodes want to see the largest cost of every transaction in flight on the relayer's account. */
const fullTransactions = BigInt(defaultRelayerSettings.maxInFlight)

const names = { RELAYER: 'relayer', SETTLER: 'settler', TOP_UP: 'top-up key' } as const

/** Checks that every sender can pay for transactions. */
export const checkSenders: Check = async ({ network, holders, node }) => {
  if (!node.fees) return []
  const { bundler, smartBalance, nativeCurrency, name } = network.config
  const { maxFeePerGas } = await network.fees()
  const look = async (
    role: keyof typeof names,
    address: Address,
    gas: bigint,
    ahead: { readonly gas: bigint; readonly transactions: bigint } = { gas, transactions: transactionsAhead },
  ): Promise<Findings> => {
    const balance = await network.call((client) => client.getBalance({ address }))
    const wanted = ahead.transactions * ahead.gas * maxFeePerGas
    if (balance >= wanted) return []
    const isEmpty = balance < gas * maxFeePerGas
    const who = names[role]
    return finding(`${role}_${isEmpty ? 'EMPTY' : 'LOW'}`, {
      message: isEmpty
        ? `The ${who} ${address} cannot pay for a transaction.`
        : `The ${who} ${address} has little left for gas.`,
      expected: `${formatEther(wanted)} ${nativeCurrency.symbol}, for ${ahead.transactions} ${ahead.gas === maxTransactionGas ? 'full ' : ''}transactions`,
      seen: `${formatEther(balance)} ${nativeCurrency.symbol}`,
      fix: `Send ${nativeCurrency.symbol} to ${address} on ${name}.`,
    })
  }
  const relayers = bundler.kind === 'embedded' ? holders.relayers : []
  const settlers = smartBalance === undefined ? [] : holders.settlers
  const topUps = smartBalance === undefined ? [] : (holders.topUps ?? [])
  const found = await Promise.all([
    ...relayers.map((address) =>
      look('RELAYER', address, bundleGas, { gas: maxTransactionGas, transactions: fullTransactions }),
    ),
    ...settlers.map((address) => look('SETTLER', address, settlementGas)),
    ...topUps.map((address) => look('TOP_UP', address, topUpGas)),
  ])
  return [...found.flat(), ...(relayers.length > 0 ? findLowLimit(network, maxFeePerGas) : [])]
}

/** A relayer may spend half of its hourly limit on calls of its own. One that costs more uses the halves of several hours. */
function findLowLimit({ config }: Network, maxFeePerGas: bigint): Findings {
  const { local, name, nativeCurrency, relayerLossPerHour } = config
  const wanted = 2n * deploymentGas * maxFeePerGas
  if (local || BigInt(relayerLossPerHour) >= wanted) return []
  return finding('RELAYER_LIMIT_LOW', {
    message:
      'At current fees, one deployment, owner change or recovery uses what a relayer may pay for in several hours, and a stuck transaction hardly fits.',
    expected: `${formatEther(wanted)} ${nativeCurrency.symbol} (relayerLossPerHour)`,
    seen: `${formatEther(BigInt(relayerLossPerHour))} ${nativeCurrency.symbol}`,
    fix: `Raise relayerLossPerHour of ${name} in the networks file.`,
  })
}
