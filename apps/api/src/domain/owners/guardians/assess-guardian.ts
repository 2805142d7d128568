import { isEoaCode, type PasskeyOwner, readSignerContract } from '@lanyard/accounts'
import { LanyardError } from '@lanyard/contracts'
import { type CredentialRow, type Database, findAccount } from '@lanyard/database'
import type { Networks } from '@lanyard/networks'
import type { Kysely } from 'kysely'
import { type Address, getAddress, isAddressEqual } from 'viem'
import { findUserWallet } from '../../accounts/accounts/find-named-account.ts'
import type { Wallet } from '../../accounts/accounts/kind.ts'
import { isPasskeyOwner, toPasskeyOwner } from '../../accounts/owners/describe-owners.ts'
import { onEachNetwork, readOwners } from '../../accounts/owners/read-owners.ts'
import { decodeGuardianPasskey, namePasskey } from './guardian-passkey.ts'
import { probeContract } from './probe-contract.ts'

type Problem =
  | 'ACCOUNT_ITSELF'
  | 'OWNER'
  | 'UNPROVEN'
  | 'NOT_THERE'
  | 'ACCEPTS_ANYTHING'
  | 'BURNS_GAS'
  | 'REPLACED'

/** Where a guardian could sign a recovery today. */
export interface GuardianAssessment {
  readonly guardian: Address
  readonly kind: 'passkey' | 'eoa' | 'contract' | 'unknown'
  readonly username: string | undefined
  readonly key: PasskeyOwner | undefined
  readonly provenAt: Date | undefined
  readonly networks: readonly (
    | { readonly network: number; readonly status: 'up'; readonly problem: Problem | undefined }
    | { readonly network: number; readonly status: 'down' }
  )[]
}

interface Services {
  readonly database: Kysely<Database>
  readonly networks: Networks
}

/** An account that has guardians, or is about to name some. */
export interface GuardedAccount {
  readonly wallet: Wallet
  /** The module. */
  readonly module: Address
}

/** An account and its guardians' code on the networks with the module. */
type Places = Awaited<ReturnType<typeof readPlaces>>

const readPlaces = (
  { networks }: Services,
  { wallet, module }: GuardedAccount,
  guardians: readonly Address[],
) =>
  onEachNetwork(networks, async (network) => {
    if (network.config.ownership !== module) return undefined
    const [{ owners }, ...codes] = await Promise.all([
      readOwners(network, wallet),
      ...guardians.map((address) => network.call((client) => client.getCode({ address }))),
    ])
    return { network, owners, codes: new Map(guardians.map((guardian, index) => [guardian, codes[index]])) }
  })

/** Finds where each of an account's guardians could sign a recovery today. The account is read once for all of them. */
export async function assessGuardians(
  services: Services,
  guarded: GuardedAccount,
  guardians: readonly Address[],
): Promise<readonly GuardianAssessment[]> {
  if (guardians.length === 0) return []
  const places = await readPlaces(services, guarded, guardians)
  return Promise.all(guardians.map((guardian) => assess(services, guarded, places, { guardian })))
}

/** As {@link assessGuardians}, for one guardian, whose passkey the caller may name. */
export async function assessGuardian(
  services: Services,
  guarded: GuardedAccount,
  guardian: Address,
  given?: PasskeyOwner,
): Promise<GuardianAssessment> {
  return assess(services, guarded, await readPlaces(services, guarded, [guardian]), { guardian, given })
}

/** A key and a passkey sign for all networks; a contract signs where it exists. */
async function assess(
  services: Services,
  { wallet }: GuardedAccount,
  places: Places,
  { guardian, given }: { readonly guardian: Address; readonly given?: PasskeyOwner | undefined },
): Promise<GuardianAssessment> {
  const { database } = services
  const { owner, account, registered, known, hasSigned } = await readKnown(database, wallet.address, guardian)
  const answers = places.map((place) =>
    place && 'owners' in place ? { ...place, code: place.codes.get(guardian) } : place,
  )
  const up = answers.filter((answer) => answer !== undefined && 'owners' in answer)
  const key =
    given ??
    (registered && toPasskeyOwner(registered)) ??
    decodeGuardianPasskey(known?.key ?? null) ??
    up.map(({ code }) => readSignerContract(guardian, code)).find((found) => found !== undefined)
  const isProven = known?.proven_at != null || hasSigned
  const isContract = !key && up.some(({ code }) => !isEoaCode(code))
  const kind = key ? 'passkey' : isContract ? 'contract' : isProven ? 'eoa' : 'unknown'
  const everywhere = isAddressEqual(guardian, wallet.address)
    ? 'ACCOUNT_ITSELF'
    : registered && registered.user_id === owner?.user_id
      ? 'OWNER'
      : key && (await isReplaced(services, registered, known?.user_id))
        ? 'REPLACED'
        : undefined
  const problemOn = async ({ network, code, owners }: (typeof up)[number]): Promise<Problem | undefined> => {
    if (everywhere) return everywhere
    if (owners.some((owner) => isAddressEqual(owner, guardian))) return 'OWNER'
    if (kind === 'unknown') return 'UNPROVEN'
    if (kind !== 'contract') return undefined
    if (isEoaCode(code)) return 'NOT_THERE'
    return (await probeContract(network, guardian)) ?? (isProven ? undefined : 'UNPROVEN')
  }
  return {
    ...{ guardian, kind, key, username: account?.username ?? registered?.username },
    provenAt: known?.proven_at ?? undefined,
    networks: (
      await Promise.all(
        answers.map(async (answer) => {
          if (answer === undefined) return []
          if (!('owners' in answer)) return [answer]
          const problem = await problemOn(answer)
          return [{ network: answer.network.chainId, status: 'up' as const, problem }]
        }),
      )
    ).flat(),
  }
}

/** What this service's rows say of a guardian. */
async function readKnown(database: Kysely<Database>, account: Address, guardian: Address) {
  const address = guardian.toLowerCase()
  const [owner, registered, known, user, signature] = await Promise.all([
    findAccount(database, account),
    database
      .selectFrom('credentials')
      .innerJoin('users', 'users.id', 'credentials.user_id')
      .selectAll('credentials')
      .select('users.username')
      .where('credentials.signer', '=', address)
      .executeTakeFirst(),
    database
      .selectFrom('known_guardians')
      .selectAll()
      .where('account', '=', account.toLowerCase())
      .where('guardian', '=', address)
      .executeTakeFirst(),
    database
      .selectFrom('accounts')
      .innerJoin('users', 'users.id', 'accounts.user_id')
      .select('users.username')
      .where('accounts.address', '=', address)
      .where('users.kind', '=', 'passkey')
      .executeTakeFirst(),
    // What a guardian signed for a recovery was checked like a proof.
    database
      .selectFrom('recovery_signatures')
      .select('guardian')
      .where('account', '=', account.toLowerCase())
      .where('guardian', '=', address)
      .executeTakeFirst(),
  ])
  return { owner, registered, known, account: user, hasSigned: signature !== undefined }
}

/** Whether the passkey of a user was removed here, or owns the user's own account on no network any more. */
async function isReplaced(
  { database, networks }: Services,
  registered: CredentialRow | undefined,
  formerUser: string | null | undefined,
): Promise<boolean> {
  if (!registered) return formerUser != null
  const wallet = await findUserWallet(database, registered.user_id)
  try {
    return !(await isPasskeyOwner(networks, wallet, registered))
  } catch (error) {
    // A network that does not answer may have it as an owner.
    if (error instanceof LanyardError && error.code === 'NETWORK_UNAVAILABLE') return false
    throw error
  }
}

/**
 * The address to name for a user: the signer contract of a passkey that owns their account, the first one first, or the
 * EOA. For any other address, the address itself.
 */
export async function resolveGuardian(database: Kysely<Database>, address: Address): Promise<Address> {
  const row = await database
    .selectFrom('accounts')
    .leftJoin('credentials', 'credentials.user_id', 'accounts.user_id')
    .select(['accounts.eoa_address', 'credentials.signer'])
    .where('accounts.address', '=', address.toLowerCase())
    .orderBy('credentials.first_owner', (order) => order.desc().nullsLast())
    .orderBy('credentials.created_at')
    .limit(1)
    .executeTakeFirst()
  const named = row?.signer ?? row?.eoa_address
  return named ? getAddress(named) : address
}

/** A guardian as the interface names it. */
export function nameGuardian({ guardian, kind, username, key, provenAt, networks }: GuardianAssessment) {
  return {
    ...{ guardian, kind },
    ...(username !== undefined && { username }),
    ...(key && { key: namePasskey(key) }),
    ...(provenAt && { provenAt: Math.floor(provenAt.getTime() / 1000) }),
    networks: networks.map((one) =>
      one.status === 'up'
        ? { network: one.network, status: one.status, ...(one.problem && { problem: one.problem }) }
        : one,
    ),
  }
}
