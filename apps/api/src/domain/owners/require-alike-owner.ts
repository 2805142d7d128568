import { isEoaCode, ownerConsentText, readSignerContract } from '@lanyard/accounts'
import { LanyardError } from '@lanyard/contracts'
import type { Networks } from '@lanyard/networks'
import { type Address, type Hex, isAddressEqual, recoverMessageAddress, size } from 'viem'
import { currentMeter } from '../../platform/log/current-request.ts'
import type { Wallet } from '../accounts/accounts/kind.ts'
import { onEachNetwork, readOwners } from '../accounts/owners/read-owners.ts'
import { probeContract } from './guardians/probe-contract.ts'

const reject = (path: string, message: string) =>
  new LanyardError('INVALID_INPUT', { issues: [{ path, message }] })

const sentences = {
  ACCEPTS_ANYTHING: 'This contract accepts a random signature: anyone could sign for the account.',
  BURNS_GAS: 'This contract uses all the gas that it is given: what it signs cannot be checked.',
  UNKNOWN_KEY:
    'This address has no code and has sent nothing: a contract could be deployed there that anyone signs for. Send its signature of `ownerConsentText`, or name a passkey by its public key.',
} as const

/** An address that is to own an account. */
interface AddedOwner {
  readonly address: Address
  /** Over `ownerConsentText`. */
  readonly signature?: Hex | undefined
  /** Whether it must show its key although it owns the account already: another program made it an owner. Default: false */
  readonly isFromElsewhere?: boolean
}

/**
 * Rejects an address that would own the account differently on different networks: a contract must be on each, with the
 * same code, and refuse a random signature. A key signs everywhere, whatever code it delegates to; a passkey's signer
 * contract can be created everywhere. An address without code must be a key's.
 *
 * @param field - the request's field, for the error
 * @throws INVALID_INPUT; NETWORK_UNAVAILABLE if a network that does not answer could decide
 */
export async function requireAlikeOwner(
  networks: Networks,
  wallet: Wallet,
  { address: owner, signature, isFromElsewhere = false }: AddedOwner,
  field: string,
): Promise<void> {
  // One request names up to 16 owners, and each is read on every network.
  currentMeter()?.addCalls(['reads'])
  const isKey = signature !== undefined && (await hasConsented(wallet, owner, signature))
  if (signature !== undefined && !isKey)
    throw reject(field, 'This is no signature of this address over `ownerConsentText` for this account.')
  const answers = await onEachNetwork(networks, async (network) => {
    const [code, nonce] = await network.call((client) =>
      Promise.all([client.getCode({ address: owner }), client.getTransactionCount({ address: owner })]),
    )
    return { network, code, nonce }
  })
  const up = answers.flatMap((answer) => ('code' in answer ? [answer] : []))
  const withCode = up.filter(({ code }) => code !== undefined && size(code) > 0)
  if (withCode.length === 0) {
    // No contract can be created at an address that has sent a transaction (EIP-684).
    if (isKey || up.some(({ nonce }) => nonce > 0)) return
    if (!isFromElsewhere && (await ownsAlready(networks, wallet, owner))) return
    if (up.length < answers.length) throw new LanyardError('NETWORK_UNAVAILABLE')
    throw reject(field, sentences.UNKNOWN_KEY)
  }
  if (up.some(({ code }) => readSignerContract(owner, code))) return
  // An EIP-7702 account also signs by its code.
  const problems = await Promise.all(withCode.map(({ network }) => probeContract(network, owner)))
  const problem = problems.find((found) => found !== undefined)
  if (problem) throw reject(field, sentences[problem])
  if (up.every(({ code }) => isEoaCode(code))) return

  const codes = new Map<Hex, string[]>()
  for (const { network, code = '0x' } of up) {
    codes.set(code, [...(codes.get(code) ?? []), network.config.name])
  }
  if (codes.size > 1) {
    const groups = [...codes.values()].map((names) => names.join(', ')).join(' / ')
    throw reject(field, `This contract is not the same on all networks (${groups}). Name a key instead.`)
  }
  if (up.length < answers.length) throw new LanyardError('NETWORK_UNAVAILABLE')
}

/** Whether the key of an address signed that it may own the account. */
export async function hasConsented(
  { address: account }: Pick<Wallet, 'address'>,
  owner: Address,
  signature: Hex,
): Promise<boolean> {
  const message = ownerConsentText({ account, owner })
  const signer = await recoverMessageAddress({ message, signature }).catch(() => undefined)
  return signer !== undefined && isAddressEqual(signer, owner)
}

/** It has shown on one network at least what it is. */
async function ownsAlready(networks: Networks, wallet: Wallet, owner: Address): Promise<boolean> {
  const answers = await onEachNetwork(networks, async (network) => readOwners(network, wallet))
  return answers.some(
    (answer) => 'owners' in answer && answer.owners.some((known) => isAddressEqual(known, owner)),
  )
}
