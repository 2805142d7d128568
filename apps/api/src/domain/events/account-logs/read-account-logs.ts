import { ownerEvents, receivedEvent } from '@lanyard/accounts'
import type { AccountLog } from '@lanyard/database'
import type { BlockRange, Network } from '@lanyard/networks'
import { ownershipAbi, sessionKeysAbi } from '@lanyard/onchain'
import { type Address, erc20Abi, getAddress, type Log, type PublicClient, parseEventLogs } from 'viem'
import { getAbiItem } from 'viem/utils'

const sessionEvents = [
  getAbiItem({ abi: sessionKeysAbi, name: 'SessionGranted' }),
  getAbiItem({ abi: sessionKeysAbi, name: 'SessionRevoked' }),
]
const ownershipEvents = [
  getAbiItem({ abi: ownershipAbi, name: 'GuardiansSet' }),
  getAbiItem({ abi: ownershipAbi, name: 'RecoveryStarted' }),
  getAbiItem({ abi: ownershipAbi, name: 'RecoveryCancelled' }),
  getAbiItem({ abi: ownershipAbi, name: 'RecoveryExecuted' }),
]
const transferEvent = getAbiItem({ abi: erc20Abi, name: 'Transfer' })

const accountEvents = [...ownerEvents, receivedEvent, ...sessionEvents, ...ownershipEvents]

/**
 * The logs about owners, sessions, guardians, recoveries and incoming transfers, in chain order.
 *
 * @param accounts - undefined: of all accounts on the chain; the caller filters them
 */
export async function readAccountLogs(
  client: PublicClient,
  range: BlockRange,
  { config: { settlementToken, sessionKeys, ownership } }: Pick<Network, 'config'>,
  accounts: readonly Address[] | undefined,
): Promise<AccountLog[]> {
  const contracts = [sessionKeys, ownership].filter((contract) => contract !== undefined)
  const [own, transfers] = await Promise.all([
    client.getLogs({
      ...range,
      events: accountEvents,
      ...(accounts && { address: [...accounts, ...contracts] }),
    }),
    settlementToken
      ? client.getLogs({
          ...range,
          address: settlementToken.address,
          event: transferEvent,
          ...(accounts && { args: { to: [...accounts] } }),
        })
      : [],
  ])
  const isOf =
    (contract: Address | undefined) =>
    ({ address }: Pick<Log, 'address'>) =>
      address.toLowerCase() === contract?.toLowerCase()
  const isOfAccount = ({ address }: Pick<Log, 'address'>) =>
    !contracts.some((contract) => contract.toLowerCase() === address.toLowerCase())
  return [
    ...parseEventLogs({ abi: ownerEvents, logs: own.filter(isOfAccount) }).map(fromOwners),
    ...parseEventLogs({ abi: [receivedEvent], logs: own.filter(isOfAccount) }).map(fromReceived),
    ...parseEventLogs({ abi: sessionEvents, logs: own.filter(isOf(sessionKeys)) }).map(fromSessionKeys),
    ...parseEventLogs({ abi: ownershipEvents, logs: own.filter(isOf(ownership)) }).map(fromOwnership),
    ...parseEventLogs({ abi: [transferEvent], logs: transfers }).map(fromToken),
  ].sort(byPosition)
}

const byPosition = (a: AccountLog, b: AccountLog) =>
  a.blockNumber === b.blockNumber ? a.logIndex - b.logIndex : a.blockNumber < b.blockNumber ? -1 : 1

type MinedLog<Event> = Log<bigint, number, false> & Event

function toLog(
  { blockHash, blockNumber, logIndex, transactionHash }: Log<bigint, number, false>,
  account: Address,
  told: Pick<AccountLog, 'type' | 'data'>,
): AccountLog {
  return {
    ...{ blockHash, blockNumber, logIndex },
    ...{ txnHash: transactionHash, account: account.toLowerCase(), ...told },
  }
}

type OwnerLog = ReturnType<typeof parseEventLogs<typeof ownerEvents>>[number]

function fromOwners(log: MinedLog<OwnerLog>): AccountLog {
  const type = log.eventName === 'AddedOwner' ? 'owner.added' : 'owner.removed'
  return toLog(log, log.address, { type, data: { owner: getAddress(log.args.owner) } })
}

type ReceivedLog = ReturnType<typeof parseEventLogs<[typeof receivedEvent]>>[number]

/** Native value; tokens have logs of their own. */
function fromReceived(log: MinedLog<ReceivedLog>): AccountLog {
  const { sender, value } = log.args
  return toLog(log, log.address, {
    type: 'transfer.received',
    data: { from: getAddress(sender), amount: String(value) },
  })
}

type SessionLog = ReturnType<typeof parseEventLogs<typeof sessionEvents>>[number]

function fromSessionKeys(log: MinedLog<SessionLog>): AccountLog {
  const { account, key } = log.args
  if (log.eventName === 'SessionRevoked')
    return toLog(log, account, { type: 'session.revoked', data: { keyId: key } })
  const { validAfter, validUntil } = log.args.session
  return toLog(log, account, {
    type: 'session.granted',
    data: { keyId: key, validAfter: Number(validAfter), validUntil: Number(validUntil) },
  })
}

type OwnershipLog = ReturnType<typeof parseEventLogs<typeof ownershipEvents>>[number]

function fromOwnership(log: MinedLog<OwnershipLog>): AccountLog {
  const { account } = log.args
  if (log.eventName === 'GuardiansSet') {
    const { guardians, from } = log.args
    const { members, threshold } = guardians
    return toLog(log, account, { type: 'guardian.set', data: { members, threshold, from: Number(from) } })
  }
  const { recovery } = log.args
  if (log.eventName === 'RecoveryStarted') {
    const { readyAt, signatures } = log.args
    const guardians = signatures.map(({ guardian }) => guardian)
    return toLog(log, account, {
      type: 'recovery.started',
      data: { recovery, readyAt: Number(readyAt), guardians },
    })
  }
  const type = log.eventName === 'RecoveryCancelled' ? 'recovery.cancelled' : 'recovery.executed'
  return toLog(log, account, { type, data: { recovery } })
}

type TokenLog = ReturnType<typeof parseEventLogs<[typeof transferEvent]>>[number]

function fromToken(log: MinedLog<TokenLog>): AccountLog {
  const { from, to, value } = log.args
  return toLog(log, to, {
    type: 'transfer.received',
    data: { from: getAddress(from), token: getAddress(log.address), amount: String(value) },
  })
}
