import type { AccountOwner, PasskeyOwner } from '@lanyard/accounts'
import { type CredentialRow, isUniqueViolation } from '@lanyard/database'
import type { Network } from '@lanyard/networks'
import { type Address, isAddressEqual, parseAbi } from 'viem'
import type { Wallet } from '../../../domain/accounts/accounts/wallet.ts'
import { readSignerAddress, toPasskeyKey } from '../../../domain/accounts/owners/passkey-signers.ts'
import type { RepairContext } from './context.ts'
import { type Difference, disagreements } from './difference.ts'

/** SafeWebAuthnSignerSingleton 0.2.1; a signer's proxy calls it with its own key appended. */
const signerAbi = parseAbi([
  'function getConfiguration() view returns (uint256 x, uint256 y, uint176 verifiers)',
])

/**
 * Compares which of a user's passkeys is recorded as the account's first owner with the owner in the
 * initializer.
 *
 * @param wallet - its address follows from its initializer
 * @param credentials - all of its user
 */
export function compareFirstOwner(
  { network }: RepairContext,
  { address, owner }: Wallet,
  credentials: readonly CredentialRow[],
): Difference[] {
  const found = credentials.flatMap((row): Difference[] => {
    const chain = isKeyOf(row, owner)
      ? { first_owner: true, verifiers: owner.verifiers }
      : { first_owner: false }
    const against = disagreements({ ...row }, chain)
    if (!against) return []
    const named = { network: network.chainId, account: address.toLowerCase(), subject: row.id }
    return [{ kind: 'PASSKEY_DIFFERS', ...named, ...against, repair: repairCredential(row, chain) }]
  })
  // There is only one first owner: rows that lose the mark are repaired first.
  return found.sort((a, b) => Number(a.chain.first_owner ?? false) - Number(b.chain.first_owner ?? false))
}

/**
 * Checks whether an owner that is a contract is the signer of one of the user's passkeys, with other
 * verifiers than its row says. The network's factory has to confirm it: any contract can claim a key.
 *
 * @throws NETWORK_UNAVAILABLE, NETWORK_FAILED
 */
export async function comparePasskeyOwner(
  network: Network,
  wallet: Wallet,
  owner: Address,
  credentials: readonly CredentialRow[],
): Promise<Difference | undefined> {
  const key = await readKey(network, owner)
  const row = key && credentials.find((one) => isKeyOf(one, key))
  if (!key || !row || row.verifiers === key.verifiers) return undefined
  const chain = { verifiers: key.verifiers }
  const signer = await readSignerAddress(network, wallet, { ...row, ...chain })
  if (!isAddressEqual(signer, owner)) return undefined
  return {
    kind: 'PASSKEY_DIFFERS',
    ...{ network: network.chainId, account: wallet.address.toLowerCase(), subject: row.id },
    database: { verifiers: row.verifiers },
    chain,
    repair: repairCredential(row, chain),
  }
}

/** Ignores the verifiers: a key identifies a passkey. */
export function isKeyOf(row: CredentialRow, owner: AccountOwner): owner is PasskeyOwner {
  const { x, y } = toPasskeyKey(row)
  return owner.kind === 'passkey' && owner.x === x && owner.y === y
}

/** undefined: the contract is not a signer of a passkey. */
async function readKey(network: Network, address: Address): Promise<PasskeyOwner | undefined> {
  const [answer] = await network.call((client) =>
    client.multicall({
      contracts: [{ address, abi: signerAbi, functionName: 'getConfiguration' }],
    }),
  )
  if (answer?.status !== 'success') return undefined
  const [x, y, verifiers] = answer.result
  return { kind: 'passkey', x, y, verifiers }
}

/** Records which owner of the account a passkey is. */
function repairCredential(
  row: CredentialRow,
  values: Partial<Pick<CredentialRow, 'first_owner' | 'verifiers'>>,
): NonNullable<Difference['repair']> {
  return async (database) => {
    try {
      const { numUpdatedRows } = await database
        .updateTable('credentials')
        .set(values)
        .where('id', '=', row.id)
        .where('first_owner', '=', row.first_owner)
        .where('verifiers', '=', row.verifiers)
        .executeTakeFirst()
      return numUpdatedRows > 0n
    } catch (error) {
      if (isUniqueViolation(error)) return false // another row claims the same value, and has to be repaired first
      throw error
    }
  }
}
