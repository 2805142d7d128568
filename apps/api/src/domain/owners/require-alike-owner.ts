import { isEoaCode, readSignerContract } from '@lanyard/accounts'
import { LanyardError } from '@lanyard/contracts'
import type { Networks } from '@lanyard/networks'
import { type Address, type Hex, size } from 'viem'
import { onEachNetwork } from '../accounts/owners/read-owners.ts'
import { probeContract } from './guardians/probe-contract.ts'

const reject = (path: string, message: string) =>
  new LanyardError('INVALID_INPUT', { issues: [{ path, message }] })

const sentences = {
  ACCEPTS_ANYTHING: 'This contract accepts a random signature: anyone could sign for the account.',
  BURNS_GAS: 'This contract uses all the gas that it is given: what it signs cannot be checked.',
} as const

/**
 * Rejects an address that would own the account differently on different networks: a contract must be on each, with the
 * same code, and refuse a random signature. A key signs everywhere, whatever code it delegates to; a passkey's signer
 * contract can be created everywhere.
 *
 * @param field - the request's field, for the error
 * @throws INVALID_INPUT, NETWORK_UNAVAILABLE if it is a contract and a network does not answer
 */
export async function requireAlikeOwner(networks: Networks, owner: Address, field: string): Promise<void> {
  const answers = await onEachNetwork(networks, async (network) => {
    const code = await network.call((client) => client.getCode({ address: owner }))
    return { network, code }
  })
  const up = answers.flatMap((answer) => ('code' in answer ? [answer] : []))
  const withCode = up.filter(({ code }) => code !== undefined && size(code) > 0)
  if (withCode.length === 0 || up.some(({ code }) => readSignerContract(owner, code))) return
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
