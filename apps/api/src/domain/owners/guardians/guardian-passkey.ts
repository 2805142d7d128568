import {
  computeSignerAddress,
  encodeCreateSigner,
  fromModulePasskey,
  type PasskeyOwner,
  toModuleOwner,
} from '@lanyard/accounts'
import { LanyardError } from '@lanyard/contracts'
import type { Database } from '@lanyard/database'
import { multicall3, type Network } from '@lanyard/networks'
import type { Kysely } from 'kysely'
import { type Address, encodeFunctionData, type Hex, isAddressEqual, multicall3Abi, numberToHex } from 'viem'
import { toPasskeyOwner } from '../../accounts/owners/describe-owners.ts'
import { asInvalidInput } from '../ownership/to-owner-change.ts'

/** x ‖ y ‖ verifiers, as columns hold a guardian's passkey. */
export const encodeGuardianPasskey = (key: PasskeyOwner): Hex => toModuleOwner(key).key

/** A passkey as the interface names it. */
export const namePasskey = ({ x, y, verifiers }: PasskeyOwner) => ({
  x: numberToHex(x, { size: 32 }),
  y: numberToHex(y, { size: 32 }),
  verifiers: numberToHex(verifiers, { size: 22 }),
})

/** Undefined for null. The columns hold what was encoded here. */
export function decodeGuardianPasskey(key: string | null): PasskeyOwner | undefined {
  return key === null ? undefined : fromModulePasskey(key as Hex)
}

/**
 * Requires that a guardian is the signer contract of a passkey. The key decides the address, so nobody can claim another's.
 *
 * @throws INVALID_INPUT
 */
export function requireSignerOf(guardian: Address, key: PasskeyOwner): void {
  const signer = asInvalidInput('key', () => computeSignerAddress(key))
  if (isAddressEqual(signer, guardian)) return
  const message = `This passkey has the signer contract ${signer}, which is not the guardian.`
  throw new LanyardError('INVALID_INPUT', { issues: [{ path: 'key', message }] })
}

/** The passkey whose signer contract a guardian is, if it is registered here or signed before. */
export async function findGuardianPasskey(
  database: Kysely<Database>,
  guardian: Address,
): Promise<PasskeyOwner | undefined> {
  const signer = guardian.toLowerCase()
  const registered = await database
    .selectFrom('credentials')
    .selectAll()
    .where('signer', '=', signer)
    .executeTakeFirst()
  if (registered) return toPasskeyOwner(registered)
  const known = await database
    .selectFrom('known_guardians')
    .select('key')
    .where('guardian', '=', signer)
    .where('key', 'is not', null)
    .limit(1)
    .executeTakeFirst()
  return known && decodeGuardianPasskey(known.key)
}

/**
 * Puts the creation of the signer contracts that a network does not have before a call, in one transaction: a guardian's
 * passkey counts there at once, and if the call reverts, nothing is created.
 */
export async function withSigners(
  network: Network,
  call: { readonly to: Address; readonly data: Hex },
  keys: readonly PasskeyOwner[],
): Promise<{ readonly to: Address; readonly data: Hex }> {
  const missing = await Promise.all(
    keys.map(async (key) => {
      const address = computeSignerAddress(key)
      const code = await network.call((client) => client.getCode({ address }))
      return code === undefined ? [encodeCreateSigner(key)] : []
    }),
  )
  const created = missing.flat()
  if (created.length === 0) return call
  const calls = [...created, call].map(({ to, data }) => ({
    target: to,
    allowFailure: false,
    callData: data,
  }))
  return {
    to: multicall3,
    data: encodeFunctionData({ abi: multicall3Abi, functionName: 'aggregate3', args: [calls] }),
  }
}
