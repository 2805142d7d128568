import {
  computeAccountAddress,
  getSafeOperationHash,
  getUserOperationHash,
  parseCosePublicKey,
  requiredPrefund,
} from '@lanyard/accounts'
import { username } from '@lanyard/contracts'
import { getAddress } from 'viem'
import { toWallet, type Wallet } from '../../../domain/accounts/accounts/wallet.ts'
import { toOperation } from '../../../domain/operations/signed-operation.ts'
import type { UserExport } from './user-export.ts'

/**
 * Recomputes the values that follow from others: an address from its initializer, hashes from operations, the
 * first owner from the first passkey. A document that was edited or truncated does not pass.
 *
 * @returns a description of every contradiction; empty: there is none
 */
export function findContradictions(document: UserExport): string[] {
  const wallet = walletOf(document)
  if (typeof wallet === 'string') return [wallet]
  return [
    ...ofUser(document),
    ...ofCredentials(document, wallet),
    ...document.operations.flatMap((row) => ofOperation(document, wallet, row)),
    ...ofSponsorships(document),
    ...ofOrders(document),
  ]
}

function walletOf({ account }: UserExport): Wallet | string {
  try {
    const wallet = toWallet(account)
    const computed = computeAccountAddress(wallet.owner, wallet.deployment)
    if (computed.toLowerCase() === account.address) return wallet
    return `the initializer of ${account.address} gives another address, ${computed.toLowerCase()}`
  } catch {
    return `the initializer of ${account.address} is incomplete`
  }
}

function ofUser({ user, account }: UserExport): string[] {
  const name = username.safeParse(user.username)
  return [
    ...(name.success && name.data === user.username ? [] : ['the username is not valid']),
    ...(account.user_id === user.id ? [] : ['the account belongs to another user']),
    ...((user.kind === 'eoa') === (account.eoa_address !== null)
      ? []
      : ['the kinds of user and account differ']),
  ]
}

function ofCredentials({ user, credentials }: UserExport, { owner }: Wallet): string[] {
  const first = credentials.filter((row) => row.first_owner)
  const isFirstOwner = (row: UserExport['credentials'][number]) => {
    const { x, y } = parseCosePublicKey(new Uint8Array(row.public_key))
    return owner.kind === 'passkey' && x === owner.x && y === owner.y && row.verifiers === owner.verifiers
  }
  try {
    for (const { public_key } of credentials) parseCosePublicKey(new Uint8Array(public_key))
    return [
      ...(credentials.every((row) => row.user_id === user.id) ? [] : ['a passkey belongs to another user']),
      ...(first.length > 1 || !first.every(isFirstOwner)
        ? ['the first passkey does not belong to the account']
        : []),
    ]
  } catch {
    return ['the public key of a passkey is not valid']
  }
}

function ofOperation(
  { account }: UserExport,
  { deployment }: Wallet,
  row: UserExport['operations'][number],
): string[] {
  const { user_op_hash: hash, entry_point, network: chainId } = row
  if (row.account !== account.address) return [`the operation ${hash} belongs to another account`]
  try {
    const operation = toOperation(row)
    const entryPoint = getAddress(entry_point)
    const validity = { validAfter: row.valid_after, validUntil: row.valid_until }
    const safeOperation = { chainId, entryPoint, module: deployment.module, ...validity }
    const fits =
      operation.sender.toLowerCase() === account.address &&
      getUserOperationHash(operation, { chainId, entryPoint }) === hash &&
      getSafeOperationHash(operation, safeOperation) === row.safe_op_hash &&
      operation.nonce === (row.nonce_key << 64n) + row.nonce_sequence
    return fits ? [] : [`the operation ${hash} has another hash`]
  } catch {
    return [`the operation ${hash} is incomplete`]
  }
}

/** The amount and the day of a budget follow from the operation: values that contradict it are rejected. */
function ofSponsorships({ account, operations, sponsorships }: UserExport): string[] {
  const byHash = new Map(operations.map((row) => [row.user_op_hash, row]))
  const fits = (row: UserExport['sponsorships'][number]) => {
    const operation = byHash.get(row.user_op_hash)
    return (
      operation !== undefined &&
      row.account === account.address &&
      row.network === operation.network &&
      row.reserved === requiredPrefund(toOperation(operation)) &&
      (row.charged ?? 0n) <= row.reserved &&
      row.day === row.created_at.toISOString().slice(0, 10)
    )
  }
  return sponsorships
    .filter((row) => !isWhole(() => fits(row)))
    .map(({ user_op_hash }) => `the payment for ${user_op_hash} does not match that operation`)
}

function isWhole(fits: () => boolean): boolean {
  try {
    return fits()
  } catch {
    return false
  }
}

function ofOrders({ account, operations, orders, order_operations, order_debits, attestations }: UserExport) {
  const hashes = new Set(operations.map((row) => row.user_op_hash))
  const ids = new Set(orders.map((row) => row.order_id))
  const orderHashes = new Set(order_operations.map((row) => row.order_hash))
  const foreign = [
    ...orders.filter((row) => row.account !== account.address).map((row) => row.order_id),
    ...order_operations
      .filter((row) => !ids.has(row.order_id) || !hashes.has(row.user_op_hash))
      .map((row) => row.order_hash),
    ...order_debits.filter((row) => !ids.has(row.order_id)).map((row) => row.order_id),
    ...attestations.filter((row) => !orderHashes.has(row.order_hash)).map((row) => row.order_hash),
  ]
  return foreign.map((name) => `${name} does not belong to anything in this document`)
}
