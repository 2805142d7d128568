import { type AccountOwner, type GuardianSet, getGuardianSetHash } from '@lanyard/accounts'
import type { Database } from '@lanyard/database'
import type { Networks } from '@lanyard/networks'
import type { Kysely } from 'kysely'
import { type Address, getAddress, type Hash } from 'viem'
import type { NamedAccount } from '../../accounts/accounts/find-named-account.ts'
import { onEachNetwork } from '../../accounts/owners/read-owners.ts'
import { assessGuardians, nameGuardian } from '../guardians/assess-guardian.ts'
import { namePasskey } from '../guardians/guardian-passkey.ts'
import { listProgress } from '../messages/message-progress.ts'
import { readOwnership } from '../ownership/read-ownership.ts'
import { listSignedChanges } from '../ownership/signed-change.ts'
import { findGuardians, type KnownGuardians, readGuardiansOf } from './guardian-sets.ts'

/** An owner as the interface names it. */
export function nameOwner(owner: AccountOwner) {
  if (owner.kind === 'eoa') return { address: getAddress(owner.address) }
  return namePasskey(owner)
}

/** Guardians as the interface names them. */
export const nameGuardians = ({ members, threshold, delay }: GuardianSet) => ({
  members: [...members],
  threshold,
  delay,
})

/** Who an account's guardians are on each network, now and later. */
export async function listGuardians(
  { database, networks }: { readonly database: Kysely<Database>; readonly networks: Networks },
  module: Address | undefined,
  { wallet, username }: NamedAccount,
) {
  const { address: account } = wallet
  const known = await findGuardians(database, account)
  const since = await findDates(database, account)
  const hashes = new Set<Hash>()
  const answers = await onEachNetwork(networks, async (network) => {
    const { chainId } = network
    if (module === undefined || network.config.ownership !== module) {
      return { network: chainId, status: 'unsupported' as const }
    }
    const { enabled, guardians, nextGuardians } = await readOwnership(network, module, wallet)
    // The module keeps what was set, and can do nothing for an account that has disabled it.
    if (!enabled) return { network: chainId, status: 'up' as const }
    const date = guardians && since(chainId, guardians)
    for (const hash of [guardians, nextGuardians?.hash]) if (hash) hashes.add(hash)
    return {
      ...{ network: chainId, status: 'up' as const },
      ...(guardians && {
        current: { ...toNamedSet(known, guardians), ...(date !== undefined && { since: date }) },
      }),
      ...(nextGuardians && {
        next: { ...toNamedSet(known, nextGuardians.hash), from: nextGuardians.from },
      }),
    }
  })
  return {
    account,
    ...(username !== undefined && { username }),
    ...(module && { module }),
    networks: answers,
    guardians: module
      ? (await assessGuardians({ database, networks }, { wallet, module }, membersOf(known, hashes))).map(
          nameGuardian,
        )
      : [],
  }
}

function toNamedSet(known: KnownGuardians, hash: Hash) {
  const set: GuardianSet | undefined = known.get(hash)
  return { hash, ...(set && set.members.length > 0 && { guardians: nameGuardians(set) }) }
}

/** When a network had the change that set its guardians. */
async function findDates(database: Kysely<Database>, account: Address) {
  const [changes, progress] = await Promise.all([
    listSignedChanges(database, account),
    listProgress(database, account),
  ])
  const set = new Map(
    changes.flatMap((change) => {
      const guardians = readGuardiansOf(change)
      return guardians ? [[change.hash as string, getGuardianSetHash(guardians)] as const] : []
    }),
  )
  return (network: number, hash: Hash): number | undefined => {
    const dates = progress.flatMap((row) =>
      row.network === network && set.get(row.hash) === hash ? (row.executed_at ?? []) : [],
    )
    const last = Math.max(...dates.map((date) => date.getTime()))
    return Number.isFinite(last) ? Math.floor(last / 1000) : undefined
  }
}

/** The members of sets that this service knows, each once. */
const membersOf = (known: KnownGuardians, hashes: Iterable<Hash>): readonly Address[] => [
  ...new Set([...hashes].flatMap((hash) => known.get(hash)?.members ?? [])),
]
