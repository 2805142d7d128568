import type { Call } from '@lanyard/accounts'
import type { LedgerEntry } from '@lanyard/database'
import type { NetworkConfig } from '@lanyard/networks'
import { type Hash, isAddressEqual, zeroAddress } from 'viem'
import type { LedgerLog } from './read-ledger-logs.ts'

interface Chain {
  readonly config: Pick<NetworkConfig, 'settlementToken' | 'smartBalance' | 'entryPoint'>
  /** The time of a log's block. */
  timeOf(log: LedgerLog): Date
  /** The calls of an operation that succeeded; none if this service has no row of it. */
  callsOf(userOpHash: Hash): readonly Call[]
}

type Kind = LedgerEntry['kind']

/** The entries that logs mean for any account in them. */
export function toLedgerEntries(logs: readonly LedgerLog[], chain: Chain): LedgerEntry[] {
  const { settlementToken, smartBalance } = chain.config
  const isBalance = (address: string) => smartBalance !== undefined && isSame(address, smartBalance)
  const isToken = (address: string) =>
    settlementToken !== undefined && isSame(address, settlementToken.address)
  const isCheat = ({ eventName, address }: LedgerLog) =>
    eventName === 'Transfer' ? !isToken(address) : eventName.startsWith('Order') && !isBalance(address)
  const real = logs.filter((log) => !isCheat(log))
  const claims = claimsOf(real, 10n ** BigInt((settlementToken?.decimals ?? 6) - 6))
  const operations = operationsOf(real)

  function* entriesOf(log: LedgerLog): Generator<LedgerEntry> {
    const at = chain.timeOf(log)
    const asset = settlementToken?.address.toLowerCase() ?? 'native'
    const entry = (
      part: number,
      [account, kind, amount]: readonly [string, Kind, bigint],
      more: Partial<LedgerEntry> = {},
    ): LedgerEntry => ({
      ...{ account: account.toLowerCase(), blockNumber: log.blockNumber, logIndex: log.logIndex, part, at },
      ...{ kind, holding: 'account', asset, amount, txnHash: log.transactionHash },
      // What others pay in the same bundle is no part of the account's own operation.
      ...(amount < 0n && { userOpHash: operations.of(log, account) }),
      ...more,
      ...(more.counterparty !== undefined && { counterparty: more.counterparty.toLowerCase() }),
    })
    const ofBalance = { holding: 'smart_balance' } as const
    switch (log.eventName) {
      case 'Transfer': {
        const { from, to, value } = log.args
        // Anybody can have a token log a transfer of nothing from any account.
        if (value === 0n) return
        const orderHash = claims.get(claimOf(log, to, value))
        const received: Kind = isBalance(from) ? (orderHash ? 'order_credit' : 'withdrawal') : 'transfer_in'
        yield entry(0, [from, isBalance(to) ? 'deposit' : 'transfer_out', -value], { counterparty: to })
        yield entry(1, [to, received, value], {
          ...{ counterparty: from, orderHash },
          ...(isBalance(from) && { userOpHash: operations.of(log, to) }),
        })
        return
      }
      case 'SafeReceived': {
        const { sender, value } = log.args
        if (value > 0n)
          yield entry(0, [log.address, 'transfer_in', value], { asset: 'native', counterparty: sender })
        return
      }
      case 'UserOperationEvent': {
        const { sender, paymaster, actualGasCost, userOpHash, success } = log.args
        const isOwn = isAddressEqual(paymaster, zeroAddress)
        yield entry(0, [sender, 'fee', isOwn ? -actualGasCost : 0n], {
          ...{ asset: 'native', userOpHash, gasCost: actualGasCost },
          payer: (isOwn ? sender : paymaster).toLowerCase(),
        })
        if (!success) return
        let part = 1
        for (const { to, value } of chain.callsOf(userOpHash))
          if (value > 0n)
            yield entry(part++, [sender, 'transfer_out', -value], {
              ...{ asset: 'native', userOpHash, counterparty: to },
            })
        return
      }
      case 'Deposited':
        if (!isBalance(log.address)) return
        yield entry(0, [log.args.account, 'deposit', log.args.amount], {
          ...{ ...ofBalance, counterparty: log.args.from, userOpHash: operations.of(log, log.args.account) },
        })
        return
      case 'Withdrawn': {
        if (!isBalance(log.address)) {
          // From the account's gas deposit in EntryPoint, which counts as its own until then.
          const { account, amount } = log.args
          if ('withdrawAddress' in log.args)
            yield entry(0, [account, 'gas_withdrawal', -amount], {
              ...{ asset: 'native', counterparty: log.args.withdrawAddress },
            })
          return
        }
        if (!('fee' in log.args)) return
        const { account, to, amount, fee } = log.args
        yield entry(0, [account, 'withdrawal', -amount], { ...ofBalance, counterparty: to })
        if (fee > 0n) yield entry(1, [account, 'withdrawal_fee', -fee], ofBalance)
        return
      }
      case 'ExitFinalized':
        if (!isBalance(log.address)) return
        yield entry(0, [log.args.account, 'exit', -log.args.amount], {
          ...{ ...ofBalance, counterparty: log.args.to },
        })
        return
      case 'OrderSettled': {
        const { account, orderHash, amount } = log.args
        yield entry(0, [account, 'order_debit', -amount], { ...ofBalance, orderHash, userOpHash: undefined })
        return
      }
      case 'OrderClaimed':
        return // the transfer to the account is its entry
    }
  }
  return real.flatMap((log) => [...entriesOf(log)])
}

const isSame = (a: string, b: string) => a.toLowerCase() === b.toLowerCase()

const claimOf = ({ transactionHash }: LedgerLog, account: string, amount: bigint) =>
  `${transactionHash}:${account.toLowerCase()}:${amount}`

/** The orders whose loans were paid out, by transaction, account and amount of the token. */
const claimsOf = (logs: readonly LedgerLog[], scale: bigint): ReadonlyMap<string, Hash> =>
  new Map(
    logs.flatMap((log) =>
      log.eventName === 'OrderClaimed'
        ? [[claimOf(log, log.args.account, log.args.amount * scale), log.args.orderHash] as const]
        : [],
    ),
  )

/** EntryPoint logs the end of an operation after the logs of its calls. */
function operationsOf(logs: readonly LedgerLog[]) {
  const ends = logs.filter((log) => log.eventName === 'UserOperationEvent')
  const byTransaction = Map.groupBy(ends, (log) => log.transactionHash)
  return {
    of: (log: LedgerLog, account: string): Hash | undefined =>
      byTransaction
        .get(log.transactionHash)
        ?.find(({ logIndex, args }) => logIndex > log.logIndex && isSame(args.sender, account))?.args
        .userOpHash,
  }
}
